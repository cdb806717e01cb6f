import { readBrowserScript } from './browser-files.ts';

/** Base URLs that the script uses instead of the emulator's URL. */
interface StripeJsHosts {
  readonly apiUrl?: string;
  readonly frameUrl?: string;
}

/** Faults that the sandbox injects into Stripe.js. */
export interface StripeJsFaults {
  /** Makes every call reject or stay pending. */
  readonly calls: 'reject' | 'silent' | null;
  readonly isHeavy: boolean;
  readonly hasNoWallets: boolean;
}

const NO_FAULTS: StripeJsFaults = { calls: null, isHeavy: false, hasNoWallets: false };

/**
 * Size of the heavy script in bytes. Together with the scripts of the two frames, the page loads
 * 200 kB in three requests. This is an estimate, because the real Stripe.js could not be measured.
 */
const HEAVY_SCRIPT_BYTES = 120_000;
const HEAVY_FRAME_SCRIPT_BYTES = 40_000;

/**
 * Builds a replacement for `https://js.stripe.com/<release>/stripe.js` that calls the emulator at the
 * given URL. A test can set `window.stripeFaults` on the page to make individual calls fail.
 */
export function buildStripeJs(
  url: string,
  { apiUrl = url, frameUrl = url }: StripeJsHosts = {},
  { hasNoWallets, ...faults }: StripeJsFaults = NO_FAULTS,
): string {
  const constants = Object.entries({ API_URL: apiUrl, FRAME_URL: frameUrl, FAULTS: faults })
    .map(([name, value]) => `const ${name} = ${JSON.stringify(value)};`)
    .join('\n');
  const wallets = hasNoWallets ? 'window.stripeWallets = [];' : '';
  const script = `(() => {\n${constants}\n${wallets}\n${readBrowserScript('stripe')}\n})();\n`;
  return faults.isHeavy ? padWithComment(script, HEAVY_SCRIPT_BYTES) : script;
}

/** Pads a frame's script to the estimated size of Stripe's script. */
export function padFrameScript(script: string): string {
  return padWithComment(script, HEAVY_FRAME_SCRIPT_BYTES);
}

/** Pads a script to the given size, in bytes, with a comment that compresses poorly. */
function padWithComment(script: string, size: number): string {
  let state = 1;
  let padding = '';
  while (script.length + padding.length < size - 8) {
    state = (state * 48_271) % 2_147_483_647;
    padding += state.toString(36);
  }
  return `${script}\n/* ${padding} */`;
}
