/**
 * Inline style for a frame. The page's style sheets cannot override it, which is how Stripe.js
 * protects its own frames.
 */
export const PROTECTED_STYLE =
  'border: 0 !important; padding: 0 !important; display: block !important; max-width: none !important; transform: none !important';
