/** Entry point of the chunk with the screens after a submission, and the illustrations. */
export { illustrations, illustrationStyles } from '../illustrations/illustrations.ts';
export { renderPaymentAction } from '../sections/payment-action.ts';
export { thankYouStyles } from '../thank-you/styles.ts';
export { renderThankYou } from '../thank-you/thank-you.ts';
