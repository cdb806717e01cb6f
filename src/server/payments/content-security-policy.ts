/** Content-Security-Policy directives that list what a payment provider loads. */
export type PolicyDirective = 'script-src' | 'frame-src' | 'connect-src' | 'img-src';

/**
 * Returns the sources that Stripe.js loads. The sandbox's replacement for Stripe.js loads everything
 * from its own origin.
 */
export function getStripeSources(
  scriptUrl: string | undefined,
): Readonly<Record<PolicyDirective, readonly string[]>> {
  if (scriptUrl === undefined) return STRIPE_SOURCES;
  const sources = [new URL(scriptUrl).origin];
  return {
    'script-src': sources,
    'frame-src': sources,
    'connect-src': sources,
    'img-src': sources,
  };
}

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
