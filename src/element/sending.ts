/** What a form needs when it is shown, and from the moment that its gift is sent. Fetched while the donor fills it in. */
export { toDonationRequest } from '../form/donation-request.ts';
export { mergeHidden } from '../settings/hidden.ts';
export { PaymentSlot } from '../payment/payment-slot.ts';
export { enSending as texts } from '../texts/en-sending.ts';
export { Giving } from './giving.ts';
export { tellIgnored } from './ignored.ts';
export { checkingScreen, endingStyles, thanksScreen } from './sections/ending.ts';
