import { setTimeout } from 'node:timers/promises';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Faults } from '../../lib/faults.ts';
import { readBrowserScript, WALLET_BUTTONS_PAGE, WALLET_SHEET_PAGE } from '../browser-files.ts';
import { translations } from '../browser/translations.ts';
import { buildStripeJs, padFrameScript, type StripeJsFaults } from '../stripe-js.ts';
import { renderFramePage } from './layout.ts';
import { renderCardFields, EMPTY_INPUT, renderField } from './payment-fields.ts';
import { elementStyles, pageStyles, walletStyles } from './styles.ts';

const messages = translations.en;

/** Content of the Payment Element's frame. */
const ELEMENTS_PAGE = html`<form novalidate>
<fieldset id="methods" hidden><legend>${messages.method}</legend><div></div></fieldset>
${renderCardFields(EMPTY_INPUT)}
${renderField('account', messages.account, { autocomplete: 'off', maxLength: 23, isHidden: true })}
${renderField('iban', 'IBAN', { autocomplete: 'off', maxLength: 42, isHidden: true })}
<p id="continued" hidden>${messages.continued}</p>
<p role="alert" class="error" hidden></p>
<button hidden></button>
</form>`;

/** Milliseconds after which the script that never finishes loading gets a response. */
const HANG_TIME = 600_000;
const SCRIPT_HEADERS = {
  'Content-Type': 'text/javascript; charset=utf-8',
  'Cache-Control': 'no-cache',
  'Access-Control-Allow-Origin': '*',
};
const STYLE_HEADERS = { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'no-cache' };

export interface FrameRoutesOptions {
  readonly faults: Faults;
  readonly getBaseUrl: () => string;
}

/** Creates the stand-in for Stripe.js and the frames that it opens. */
export function createFrameRoutes({ faults, getBaseUrl }: FrameRoutesOptions): Hono {
  const app = new Hono();
  app.get('/stripe.js', async (c) => {
    const slow = faults.consumeFault('stripe-js-slow');
    if (slow) await setTimeout(slow.ms ?? 5_000);
    if (faults.consumeFault('stripe-js-hangs'))
      await setTimeout(HANG_TIME, undefined, { ref: false, signal: c.req.raw.signal }).catch(
        () => undefined,
      );
    // To the page, a request stopped by a content blocker looks like a failed request.
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
  app.get('/elements', (c) =>
    renderFramePage(getBaseUrl(), messages.method, ELEMENTS_PAGE, {
      styles: 'elements.css',
      scripts: [c.req.query('heavy') === undefined ? 'elements.js' : 'elements.js?heavy'],
    }),
  );
  app.get('/express-checkout', () =>
    renderFramePage(getBaseUrl(), 'Secure express checkout frame', WALLET_BUTTONS_PAGE, {
      styles: 'wallets.css',
      scripts: ['wallet-buttons.js'],
    }),
  );
  app.get('/wallet', () =>
    renderFramePage(getBaseUrl(), 'Wallet', WALLET_SHEET_PAGE, {
      styles: 'wallets.css',
      scripts: ['wallet-sheet.js'],
    }),
  );
  // The second frame of the heavy script.
  app.get('/controller', () =>
    renderFramePage(getBaseUrl(), 'Stripe controller', html``, {
      styles: 'elements.css',
      scripts: ['controller.js'],
    }),
  );
  app.get('/controller.js', (c) => c.body(padFrameScript(''), 200, SCRIPT_HEADERS));
  return app;
}

function getStripeJsCallFault(faults: Faults): StripeJsFaults['calls'] {
  if (faults.findActiveFault('stripe-js-rejects')) return 'reject';
  return faults.findActiveFault('stripe-js-silent') ? 'silent' : null;
}
