import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import { NotFoundError } from '../api-error.ts';
import { BUYERS } from '../buyers.ts';
import type { Funding } from '../records.ts';
import type { Approval } from './approval.ts';
import { pageStyles } from './styles.ts';

type Html = ReturnType<typeof html>;

export interface PagesOptions {
  /** Path of the app in the server, such as `/paypal`. */
  readonly basePath: string;
  /**
   * Pages by path, each with the query parameter that names the approval.
   * @throws NotFoundError from `find` if there is no such approval.
   */
  readonly approvalPages: readonly {
    readonly path: string;
    readonly parameter: string;
    readonly find: (token: string) => Approval;
  }[];
}

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

const FUNDING_LABELS: Readonly<Record<Funding, readonly [label: string, note: string]>> = {
  balance: ['Balance', 'Paid immediately'],
  echeck: ['Bank account (eCheck)', 'Pending until it clears'],
  venmo: ['Venmo', 'Paid immediately'],
  expiring: ['Card that expires', 'Paid now, but later payments are declined'],
  declined: ['Declined card', 'Every payment is declined'],
};

/**
 * Creates the pages on which a buyer approves a payment. They follow the steps of PayPal's pages
 * (log in, choose how to pay, approve or cancel), do not imitate their design, and need no script.
 */
export function createPages({ basePath, approvalPages }: PagesOptions): Hono {
  const app = new Hono();
  app.get('/pages.css', (c) =>
    c.body(pageStyles, 200, {
      'Content-Type': 'text/css; charset=utf-8',
      'Cache-Control': 'no-cache',
    }),
  );
  for (const { path, parameter, find } of approvalPages) {
    app.get(path, (c) => {
      const token = c.req.query(parameter) ?? '';
      const approval = find(token);
      return approval.isOpen ? renderLogin(c, approval) : renderReturn(c, approval.cancelUrl);
    });
    app.post(path, async (c) => {
      const approval = find(c.req.query(parameter) ?? '');
      const { buyer: email, funding, action } = await c.req.parseBody();
      if (!approval.isOpen || action === 'cancel') return renderReturn(c, approval.cancelUrl);
      const buyer = BUYERS.find((candidate) => candidate.email === email);
      if (!buyer) return renderLogin(c, approval);
      const chosen = approval.fundings.find((candidate) => candidate === funding);
      return action === 'approve' && chosen !== undefined
        ? renderReturn(c, approval.approveSubscription(buyer, chosen))
        : renderReview(c, approval, buyer.email);
    });
  }
  app.onError((error, c) => {
    if (!(error instanceof NotFoundError)) throw error;
    return renderPage(
      c,
      'Page not found',
      html`<h1>Page not found</h1>
        <p>The payment does not exist or has expired. Go back to the website and start again.</p>`,
      { status: 404 },
    );
  });
  return app;

  function renderLogin(c: Context, { recipient, price, description }: Approval): Promise<Response> {
    return renderPage(
      c,
      'Log in',
      html`<h1>Log in to pay ${price}</h1>
        <p>To ${recipient}${description === undefined ? '' : html` for ${description}`}</p>
        <form method="post">
          <fieldset>
            <legend>Test buyer</legend>
            ${BUYERS.map(
              ({ email, givenName, surname }, index) => html`<label>
                <input type="radio" name="buyer" value="${email}" ${index === 0 ? 'checked' : ''} />
                <span>${givenName} ${surname}<small>${email}</small></span>
              </label>`,
            )}
          </fieldset>
          <div class="buttons">
            <button class="main" name="action" value="login">Log in</button>
            <button name="action" value="cancel">Cancel and return to ${recipient}</button>
          </div>
        </form>`,
    );
  }

  function renderReview(c: Context, approval: Approval, email: string): Promise<Response> {
    const { recipient, price, fundings, action } = approval;
    return renderPage(
      c,
      'Pay',
      html`<h1>Pay ${price}</h1>
        <p>To ${recipient} as ${email}</p>
        <form method="post">
          <input type="hidden" name="buyer" value="${email}" />
          <fieldset>
            <legend>Pay with</legend>
            ${fundings.map(
              (funding, index) => html`<label>
                <input
                  type="radio"
                  name="funding"
                  value="${funding}"
                  ${index === 0 ? 'checked' : ''}
                />
                <span>${FUNDING_LABELS[funding][0]}<small>${FUNDING_LABELS[funding][1]}</small></span>
              </label>`,
            )}
          </fieldset>
          <div class="buttons">
            <button class="main" name="action" value="approve">${action}</button>
            <button name="action" value="cancel">Cancel and return to ${recipient}</button>
          </div>
        </form>`,
    );
  }

  /**
   * Renders a page that sends the buyer back. A redirect would not work: the CSP's
   * `form-action` also applies to redirects after a form submission, and it is unknown where the
   * website redirects next.
   */
  function renderReturn(c: Context, url: string | undefined): Promise<Response> {
    if (url === undefined)
      return renderPage(c, 'Done', html`<h1>Done</h1><p>You can close this page.</p>`);
    return renderPage(
      c,
      'One moment',
      html`<h1>One moment</h1>
        <p>We are taking you back to the website.</p>
        <p><a class="button main" href="${url}">Continue</a></p>`,
      { head: html`<meta http-equiv="refresh" content="0;url=${url}" />` },
    );
  }

  async function renderPage(
    c: Context,
    title: string,
    content: Html | Promise<Html>,
    { status = 200, head }: { readonly status?: 200 | 404; readonly head?: Html } = {},
  ): Promise<Response> {
    return c.html(
      html`<!doctype html>
        <html lang="en">
          <head>
            <meta charset="utf-8" />
            <meta name="viewport" content="width=device-width, initial-scale=1" />
            <meta name="color-scheme" content="light dark" />
            <title>${title} · PayPal emulation</title>
            <link rel="stylesheet" href="${basePath}/pages.css" />
            ${head ?? ''}
          </head>
          <body>
            <header class="ribbon">
              <strong>Test.</strong> This page emulates PayPal's. It is not PayPal's, and no money
              moves.
            </header>
            <main>${await content}</main>
          </body>
        </html>`,
      status,
      {
        'Content-Security-Policy': CONTENT_SECURITY_POLICY,
        'Cache-Control': 'no-store',
        'Referrer-Policy': 'same-origin',
        'X-Content-Type-Options': 'nosniff',
      },
    );
  }
}
