import { Hono } from 'hono';
import { html } from 'hono/html';
import { translations } from '../browser/translations.ts';
import { WALLET_BUTTONS_PAGE, WALLET_SHEET_PAGE } from '../browser-files.ts';
import { renderFramePage } from './layout.ts';
import { EMPTY_INPUT, renderCardFields, renderField } from './payment-fields.ts';

const messages = translations.en;

/**
 * Content of the Payment Element's frame. `method="dialog"` prevents Enter from reloading the frame
 * before its script has loaded.
 */
const ELEMENTS_PAGE = html`<form method="dialog" novalidate>
<fieldset id="methods" hidden><legend>${messages.method}</legend><div></div></fieldset>
${renderCardFields(EMPTY_INPUT)}
${renderField('account', messages.account, { autocomplete: 'off', maxLength: 23, isHidden: true })}
${renderField('iban', 'IBAN', { autocomplete: 'off', maxLength: 42, isHidden: true })}
<p id="continued" hidden>${messages.continued}</p>
<p role="alert" class="error" hidden></p>
<button hidden></button>
</form>`;

export interface FrameRoutesOptions {
  readonly getBaseUrl: () => string;
}

/** Creates the frames that the replacement for Stripe.js opens. */
export function createFrameRoutes({ getBaseUrl }: FrameRoutesOptions): Hono {
  const app = new Hono();
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
  // The heavy script opens a second, hidden frame.
  app.get('/controller', () =>
    renderFramePage(getBaseUrl(), 'Stripe controller', html``, {
      styles: 'elements.css',
      scripts: ['controller.js'],
    }),
  );
  return app;
}
