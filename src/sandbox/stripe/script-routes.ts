import { setTimeout } from 'node:timers/promises';
import { Hono } from 'hono';
import type { Faults } from '../lib/faults.ts';
import { readBrowserScript } from './browser-files.ts';
import { elementStyles, pageStyles, walletStyles } from './pages/styles.ts';
import { buildStripeJs, padFrameScript, type StripeJsFaults } from './stripe-js.ts';

/** Response delay for the `stripe-js-hangs` fault, in milliseconds. */
const HANG_TIME = 600_000;
const SCRIPT_HEADERS = {
  'Content-Type': 'text/javascript; charset=utf-8',
  'Cache-Control': 'no-cache',
  'Access-Control-Allow-Origin': '*',
};
const STYLE_HEADERS = { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'no-cache' };

export interface ScriptRoutesOptions {
  readonly faults: Faults;
  readonly getBaseUrl: () => string;
}

/** Creates the routes that serve the replacement for Stripe.js, and the frames' scripts and styles. */
export function createScriptRoutes({ faults, getBaseUrl }: ScriptRoutesOptions): Hono {
  const app = new Hono();
  app.get('/stripe.js', async (c) => {
    const slow = faults.consumeFault('stripe-js-slow');
    if (slow) await setTimeout(slow.ms ?? 5_000);
    if (faults.consumeFault('stripe-js-hangs'))
      await setTimeout(HANG_TIME, undefined, { ref: false, signal: c.req.raw.signal }).catch(
        () => undefined,
      );
    // To the page, a request that a content blocker stops looks like a failed request.
    if (faults.consumeFault('stripe-js-blocked')) return c.body(null, 403);
    return c.body(
      buildStripeJs(
        getBaseUrl(),
        {},
        {
          calls: getStripeJsCallFault(faults),
          isHeavy: faults.findActiveFault('stripe-js-heavy') !== undefined,
          hasNoWallets: faults.findActiveFault('no-wallets') !== undefined,
        },
      ),
      200,
      SCRIPT_HEADERS,
    );
  });
  for (const name of ['elements', 'authenticated', 'wallet-buttons', 'wallet-sheet'] as const)
    app.get(`/${name}.js`, (c) => {
      const script = readBrowserScript(name);
      return c.body(
        c.req.query('heavy') === undefined ? script : padFrameScript(script),
        200,
        SCRIPT_HEADERS,
      );
    });
  app.get('/elements.css', (c) => c.body(elementStyles, 200, STYLE_HEADERS));
  app.get('/wallets.css', (c) => c.body(walletStyles, 200, STYLE_HEADERS));
  app.get('/pages.css', (c) => c.body(pageStyles, 200, STYLE_HEADERS));
  app.get('/controller.js', (c) => c.body(padFrameScript(''), 200, SCRIPT_HEADERS));
  return app;
}

function getStripeJsCallFault(faults: Faults): StripeJsFaults['calls'] {
  if (faults.findActiveFault('stripe-js-rejects')) return 'reject';
  return faults.findActiveFault('stripe-js-silent') ? 'silent' : null;
}
