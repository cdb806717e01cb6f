/**
 * Entry point of the chunk with the screens that follow a submission, and the illustrations. Loaded
 * when the form is ready to use.
 */
export { illustrations, illustrationStyles } from '../illustrations/illustrations.ts';
export { renderPaymentAction } from '../sections/payment-action.ts';
export { thankYouStyles } from '../thank-you/styles.ts';
export { renderThankYou } from '../thank-you/thank-you.ts';
