import { compileBrowserScript } from './browser-files.ts';

/**
 * Builds a stand-in for `https://js.stripe.com/<release>/stripe.js` that calls the fake at this
 * URL. Tests cannot reach the real one.
 */
export function buildStripeJs(url: string): string {
  return `(() => {\nconst FAKE_URL = ${JSON.stringify(url)};\n${compileBrowserScript('stripe')}\n})();\n`;
}
