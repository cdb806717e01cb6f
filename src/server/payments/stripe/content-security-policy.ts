/** Content-Security-Policy directives that a payment provider's scripts need. */
export type PolicyDirective = 'script-src' | 'frame-src' | 'connect-src' | 'img-src';

/** The sandbox's replacement for Stripe.js loads everything from its own origin. */
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
 * CSP sources for Stripe.js and Link. Stripe.js loads its frames from varying subdomains:
 * https://docs.stripe.com/security/guide#content-security-policy
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
