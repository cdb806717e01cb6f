import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import { BUYERS } from '../buyers.ts';
import { renderBuyers, renderPage } from './layout.ts';

/** Path of the page, the same as on PayPal's website. */
const PATH = '/myaccount/autopay';

/** A subscription that the buyer can cancel. */
export interface AutomaticPayment {
  readonly id: string;
  /** The seller's name. */
  readonly recipient: string;
  /** Price, such as `$50.00 every month`. */
  readonly price: string;
}

export interface AutomaticPayments {
  /** Lists the subscriptions that a buyer can cancel, newest first. */
  readonly list: (email: string) => readonly AutomaticPayment[];
  readonly cancel: (id: string) => void;
}

/** Adds the page on which buyers cancel subscriptions. */
export function addAutomaticPayments(
  app: Hono,
  basePath: string,
  { list, cancel }: AutomaticPayments,
): void {
  app.get(PATH, (c) => renderLogin(c));
  app.post(PATH, async (c) => {
    const { buyer: email, cancel: id } = await c.req.parseBody();
    const buyer = BUYERS.find((candidate) => candidate.email === email);
    if (!buyer) return renderLogin(c);
    const payment = list(buyer.email).find((candidate) => candidate.id === id);
    if (payment) cancel(payment.id);
    return renderList(c, buyer.email);
  });

  function renderLogin(c: Context): Promise<Response> {
    return renderPage(
      c,
      basePath,
      'Log in',
      html`<h1>Log in to your automatic payments</h1>
        <form method="post">
          ${renderBuyers()}
          <div class="buttons"><button class="main">Log in</button></div>
        </form>`,
    );
  }

  function renderList(c: Context, email: string): Promise<Response> {
    const payments = list(email);
    return renderPage(
      c,
      basePath,
      'Automatic payments',
      html`<h1>Automatic payments</h1>
        <p>${payments.length === 0 ? 'No automatic payments' : 'Active payments'} for ${email}</p>
        ${payments.map(
          ({ id, recipient, price }) => html`<form method="post">
            <input type="hidden" name="buyer" value="${email}" />
            <p>${price} to ${recipient}</p>
            <div class="buttons"><button name="cancel" value="${id}">Cancel ${id}</button></div>
          </form>`,
        )}`,
    );
  }
}
