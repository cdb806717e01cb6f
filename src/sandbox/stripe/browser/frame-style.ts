/**
 * Inline style for a frame, which the page's style sheets cannot override. Stripe.js protects its
 * own frames the same way.
 */
export const PROTECTED_STYLE =
  'border: 0 !important; padding: 0 !important; display: block !important; max-width: none ' +
  '!important; transform: none !important';
