/** Directives of a Content-Security-Policy that list what a payment provider loads. */
export type PolicyDirective = 'script-src' | 'frame-src' | 'connect-src' | 'img-src';

/**
 * Sources of Stripe.js and of Link, which the Payment Element offers. Stripe.js loads its frames from
 * varying subdomains: https://docs.stripe.com/security/guide#content-security-policy
 */
export const STRIPE_SOURCES: Readonly<Record<PolicyDirective, readonly string[]>> = {
  'script-src': ['https://js.stripe.com', 'https://*.js.stripe.com'],
  'frame-src': [
    'https://js.stripe.com',
    'https://*.js.stripe.com',
    'https://hooks.stripe.com',
    'https://link.com',
    'https://*.link.com',
  ],
  'connect-src': ['https://api.stripe.com', 'https://link.com', 'https://*.link.com'],
  'img-src': ['https://*.stripe.com', 'https://*.link.com'],
};
