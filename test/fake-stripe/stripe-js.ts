import { script } from './browser-files.ts';

/**
 * The text of a stand-in for `https://js.stripe.com/<release>/stripe.js`, joined to the fake at
 * this address: the real one cannot be reached in tests.
 */
export function stripeJs(address: string): string {
  return `(() => {\nconst ADDRESS = ${JSON.stringify(address)};\n${script('stripe')}\n})();\n`;
}
