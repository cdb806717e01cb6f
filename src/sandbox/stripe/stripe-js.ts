import { readBrowserScript } from './browser-files.ts';

/** Hosts that the script calls, if not the emulator's own. */
interface StripeJsHosts {
  readonly apiUrl?: string;
  readonly frameUrl?: string;
}

/**
 * Builds a stand-in for `https://js.stripe.com/<release>/stripe.js` that calls the emulator
 * at this URL. To make it fail, set `window.stripeFaults` in the page.
 */
export function buildStripeJs(
  url: string,
  { apiUrl = url, frameUrl = url }: StripeJsHosts = {},
): string {
  const constants = Object.entries({ API_URL: apiUrl, FRAME_URL: frameUrl })
    .map(([name, value]) => `const ${name} = ${JSON.stringify(value)};`)
    .join('\n');
  return `(() => {\n${constants}\n${readBrowserScript('stripe')}\n})();\n`;
}
