/** Inline style of a frame that the page's style sheets cannot override, as Stripe.js protects its own. */
export const PROTECTED_STYLE =
  'border: 0 !important; padding: 0 !important; display: block !important; max-width: none !important; transform: none !important';
