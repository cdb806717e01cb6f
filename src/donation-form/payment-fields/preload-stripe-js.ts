import { STRIPE_JS_URL } from './stripe-js-url.ts';

let isPreloaded = false;

/** Starts to download Stripe.js while its module loads, which saves a round trip. */
export function preloadStripeJs({
  scriptUrl = STRIPE_JS_URL,
}: Readonly<Record<string, string>>): void {
  if (isPreloaded || 'Stripe' in window) return;
  isPreloaded = true;
  const link = document.createElement('link');
  link.rel = 'preload';
  link.as = 'script';
  link.href = scriptUrl;
  document.head.append(link);
}
