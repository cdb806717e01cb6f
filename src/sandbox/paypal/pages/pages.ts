import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import { NotFoundError } from '../api-error.ts';
import { BUYERS } from '../buyers.ts';
import type { Funding } from '../records.ts';
import type { Approval } from './approval.ts';
import { addAutomaticPayments, type AutomaticPayments } from './automatic-payments.ts';
import { renderBuyers, renderPage } from './layout.ts';
import { pageStyles } from './styles.ts';

export interface PagesOptions {
  /** Path at which the app is mounted, such as `/paypal`. */
  readonly basePath: string;
  /**
   * Approval pages. Each page has a path and the name of a query parameter that identifies the
   * payment request.
   * @throws NotFoundError from `find` if the payment request does not exist.
   */
  readonly approvalPages: readonly {
    readonly path: string;
    readonly parameter: string;
    readonly find: (token: string) => Approval;
  }[];
  readonly automaticPayments: AutomaticPayments;
}

const FUNDING_LABELS: Readonly<Record<Funding, readonly [label: string, note: string]>> = {
  balance: ['Balance', 'Paid immediately'],
  echeck: ['Bank account (eCheck)', 'Pending until the eCheck clears'],
  venmo: ['Venmo', 'Paid immediately'],
  expiring: ['Card that expires', 'Paid now, but later payments are declined'],
  declined: ['Declined card', 'Every payment is declined'],
};

/**
 * Creates the pages on which a buyer approves a payment or cancels automatic payments. The pages
 * follow the same steps as PayPal: log in, choose how to pay, and approve or cancel. The pages do
 * not imitate PayPal's design, and need no scripts.
 */
export function createPages({ basePath, approvalPages, automaticPayments }: PagesOptions): Hono {
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
        ? renderReturn(c, approval.approvePayment(buyer, chosen))
        : renderReview(c, approval, buyer.email);
    });
  }
  addAutomaticPayments(app, basePath, automaticPayments);
  app.onError((error, c) => {
    if (!(error instanceof NotFoundError)) throw error;
    return renderPage(
      c,
      basePath,
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
      basePath,
      'Log in',
      html`<h1>Log in to pay ${price}</h1>
        <p>To ${recipient}${description === undefined ? '' : html` for ${description}`}</p>
        <form method="post">
          ${renderBuyers()}
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
      basePath,
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
   * Renders a page that sends the buyer back to the seller's website. A redirect would not work,
   * because the CSP's `form-action` directive also applies to redirects after a form submission.
   * The directive cannot list all URLs, because the website might redirect the buyer to other URLs.
   */
  function renderReturn(c: Context, url: string | undefined): Promise<Response> {
    if (url === undefined)
      return renderPage(c, basePath, 'Done', html`<h1>Done</h1><p>You can close this page.</p>`);
    return renderPage(
      c,
      basePath,
      'One moment',
      html`<h1>One moment</h1>
        <p>We are taking you back to the website.</p>
        <p><a class="button main" href="${url}">Continue</a></p>`,
      { head: html`<meta http-equiv="refresh" content="0;url=${url}" />` },
    );
  }
}
