import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import type { Checkout } from './checkout.ts';
import {
  ELEMENTS_PAGE,
  WALLET_BUTTONS_PAGE,
  WALLET_SHEET_PAGE,
  readBrowserScript,
} from './browser-files.ts';
import type { Payments } from './payments.ts';
import type { Portal } from './portal.ts';
import { createMissingError, StripeApiError } from './stripe-error.ts';
import type { Store } from './store.ts';
import { buildStripeJs } from './stripe-js.ts';

export interface PagesOptions {
  readonly store: Store;
  readonly payments: Payments;
  readonly checkout: Checkout;
  readonly portal: Portal;
  readonly getBaseUrl: () => string;
}

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; base-uri 'none'";
const STYLES = `
body { margin: 0; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; color: #1a1a2e; background: #fff }
form { display: grid; gap: .75rem; max-width: 26rem }
label { display: grid; gap: .25rem }
fieldset { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: 0; padding: 0; border: 0 }
fieldset label { display: flex; align-items: center }
input { font: inherit; padding: .5rem; border: 1px solid #6b7280; border-radius: 4px }
button { font: inherit; padding: .625rem 1rem; border: 0; border-radius: 4px; background: #533afd; color: #fff }
[role=alert] { color: #b3093c; margin: 0 }
[hidden] { display: none !important }
body:has(.wallet-buttons), body:has(.sheet) { padding: 0; background: none }
.wallet-buttons { display: grid; grid-auto-flow: column; grid-auto-columns: minmax(0, 1fr); gap: .5rem }
.wallet-buttons button { padding: 0; border-radius: var(--radius); background: #000; color: #fff; font-weight: 600; cursor: pointer }
.wallet-buttons button:focus-visible { outline: 3px solid #4b8bff; outline-offset: -3px }
.wallet-buttons .link { background: #00d66f; color: #011e0f }
.wallet-buttons .paypal { background: #ffc439; color: #003087 }
.dark .wallet-buttons :is(.apple_pay, .google_pay) { background: #fff; color: #000 }
body:has(.sheet) { display: grid; align-items: end; justify-items: center; min-height: 100vh; background: rgb(0 0 0 / .5) }
.sheet { box-sizing: border-box; width: min(100%, 28rem); max-height: 100vh; overflow: auto; padding: 1.5rem; border-radius: 16px 16px 0 0; background: #fff }
.sheet h1 { margin: 0; font-size: 1.25rem }
.sheet dl { display: grid; grid-template-columns: 1fr auto; gap: .25rem 1rem }
.sheet dd { margin: 0; font-variant-numeric: tabular-nums }
.sheet :is(dt, dd):nth-last-of-type(1) { font-weight: 700 }
.sheet select { font: inherit; padding: .5rem }
.sheet #cancel { background: #e5e7eb; color: #1a1a2e }
.element { padding: 2px }
`;

type Content = ReturnType<typeof html>;

/**
 * Creates plain versions of the pages that Stripe shows. They store nothing and use scripts only
 * inside frames.
 */
export function createPages({ store, payments, checkout, portal, getBaseUrl }: PagesOptions): Hono {
  const app = new Hono();
  const renderPage = async (
    title: string,
    content: Content,
    {
      status = 200,
      scripts = [],
    }: { readonly status?: number; readonly scripts?: readonly string[] } = {},
  ): Promise<Response> =>
    new Response(
      String(
        await html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><link rel="stylesheet" href="/fake.css">${scripts.map((name) => html`<script type="module" src="/${name}"></script>`)}</head>
<body>${content}</body></html>`,
      ),
      {
        status,
        headers: {
          'Content-Type': 'text/html; charset=utf-8',
          'Content-Security-Policy': CONTENT_SECURITY_POLICY,
          'Cache-Control': 'no-store',
        },
      },
    );

  const assetHeaders = { 'Cache-Control': 'no-cache', 'Access-Control-Allow-Origin': '*' };
  app.get('/fake.css', (c) =>
    c.body(STYLES, 200, { 'Content-Type': 'text/css; charset=utf-8', ...assetHeaders }),
  );
  app.get('/stripe.js', (c) =>
    c.body(buildStripeJs(getBaseUrl()), 200, {
      'Content-Type': 'text/javascript; charset=utf-8',
      ...assetHeaders,
    }),
  );
  for (const name of ['elements', 'authenticated', 'wallet-buttons', 'wallet-sheet'] as const)
    app.get(`/${name}.js`, (c) =>
      c.body(readBrowserScript(name), 200, {
        'Content-Type': 'text/javascript; charset=utf-8',
        ...assetHeaders,
      }),
    );
  app.get('/express-checkout', () =>
    renderPage('Secure express checkout frame', WALLET_BUTTONS_PAGE, {
      scripts: ['wallet-buttons.js'],
    }),
  );
  app.get('/wallet', () =>
    renderPage('Wallet', WALLET_SHEET_PAGE, { scripts: ['wallet-sheet.js'] }),
  );
  app.get('/elements', () =>
    renderPage('Secure payment input frame', ELEMENTS_PAGE, { scripts: ['elements.js'] }),
  );

  const renderQuestion = (
    path: string,
    secret: string,
  ): Content => html`<main><h1>Is this you?</h1><p>Your bank asks you to confirm this payment.</p>
<form method="post" action="${path}"><input type="hidden" name="client_secret" value="${secret}"><button name="result" value="complete">Complete</button><button name="result" value="fail">Fail</button></form></main>`;
  const assertClientSecret = (c: Context, secret: string): string => {
    const id = c.req.param('intent') ?? '';
    if (store.get('payment_intent', id).client_secret !== secret)
      throw createMissingError(404, 'payment intent', id, 'intent');
    return id;
  };
  for (const route of ['authenticate', 'redirect'] as const) {
    app.get(`/${route}/:intent`, (c) => {
      const secret = c.req.query('client_secret') ?? '';
      assertClientSecret(c, secret);
      return renderPage('Authentication', renderQuestion(c.req.path, secret));
    });
    app.post(`/${route}/:intent`, async (c) => {
      const { client_secret = '', result } = await readFormFields(c);
      const id = assertClientSecret(c, client_secret);
      const requestedReturnUrl = store.get('payment_intent', id).next_action?.redirect_to_url
        ?.return_url;
      const returnUrl = requestedReturnUrl ?? checkout.findPageUrl(id);
      store.transact(() => payments.completeAuthentication(id, result === 'complete'));
      if (route === 'authenticate' || returnUrl === null)
        return renderPage('Authentication', html`<p>Done.</p>`, { scripts: ['authenticated.js'] });
      const url = new URL(returnUrl);
      if (requestedReturnUrl)
        for (const [name, value] of Object.entries({
          payment_intent: id,
          payment_intent_client_secret: client_secret,
          redirect_status: result === 'complete' ? 'succeeded' : 'failed',
        }))
          url.searchParams.set(name, value);
      return c.redirect(url.href, 303);
    });
  }
  const renderCheckout = (id: string, error?: string): Promise<Response> => {
    const session = store.transact(() => checkout.getSession(id));
    const [lineItem] = session.line_items!.data;
    const email = session.customer_email;
    return renderPage(
      'Checkout',
      html`<main><h1>${lineItem!.description}</h1><p>${session.amount_total} ${session.currency?.toUpperCase()} (smallest unit)${lineItem!.price?.recurring ? html`, every ${lineItem!.price.recurring.interval_count} ${lineItem!.price.recurring.interval}` : ''}</p>
<form method="post" action="/c/pay/${id}">${email === null ? html`<label>Email <input name="email" type="email" required autocomplete="email"></label>` : html`<p>Email <strong>${email}</strong></p>`}
<label>Card number <input name="number" required inputmode="numeric" autocomplete="cc-number"></label>${error === undefined ? '' : html`<p role="alert">${error}</p>`}
<button>${session.submit_type === 'donate' ? 'Donate' : 'Pay'}</button></form>${session.cancel_url === null ? '' : html`<p><a href="${session.cancel_url}">Back</a></p>`}</main>`,
      { status: error === undefined ? 200 : 402 },
    );
  };
  app.get('/c/pay/:id', async (c) => {
    const session = store.transact(() => checkout.getSession(c.req.param('id')));
    if (session.status === 'complete') return c.redirect(checkout.getSuccessUrl(session), 303);
    return session.status === 'open'
      ? renderCheckout(session.id, checkout.getLastError(session))
      : renderPage('Checkout', html`<main><h1>This page has expired.</h1></main>`, { status: 410 });
  });
  app.post('/c/pay/:id', async (c) => {
    const { number = '', email = '' } = await readFormFields(c);
    try {
      const url = store.transact(() => checkout.paySession(c.req.param('id'), number, email));
      return c.redirect(url, 303);
    } catch (error) {
      if (error instanceof StripeApiError && error.error.type === 'card_error')
        return renderCheckout(c.req.param('id'), error.message);
      throw error;
    }
  });

  app.get('/p/login/:id', (c) => {
    portal.assertLoginPage(c.req.path);
    return renderPage(
      'Manage your giving',
      html`<main><h1>Log in to manage your giving</h1><form method="post" action="${c.req.path}"><label>Email <input name="email" type="email" required autocomplete="email"></label><button>Send</button></form></main>`,
    );
  });
  app.post('/p/login/:id', (c) => {
    portal.assertLoginPage(c.req.path);
    return renderPage(
      'Check your email',
      html`<main><h1>Check your email</h1><p>If you have an active subscription with us, an email will be sent with your login link.</p></main>`,
    );
  });

  app.onError((error) => {
    if (error instanceof StripeApiError)
      return renderPage('Not found', html`<main><h1>Not found</h1><p>${error.message}</p></main>`, {
        status: error.status,
      });
    throw error;
  });
  return app;
}

async function readFormFields(c: Context): Promise<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(await c.req.text()));
}
