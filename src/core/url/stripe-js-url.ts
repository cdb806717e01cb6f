/** Script that `loadStripe` of `@stripe/stripe-js` loads. */
export const STRIPE_JS_URL = 'https://js.stripe.com/endive/stripe.js';
