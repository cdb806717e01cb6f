export { Frequency, frequencyValue } from './frequency-code.ts';
export { GIFT_FREQUENCIES, type GiftFrequency } from './frequency.ts';
export { monthlyInstead } from './monthly-equivalent.ts';
export { PaymentMethodType } from './payment-method.ts';
export { equalParts } from './split.ts';
export { TRIBUTE_KINDS, TRIBUTE_NAME_LENGTH } from './tribute.ts';
export type { RecurringState } from './recurring-state.ts';
