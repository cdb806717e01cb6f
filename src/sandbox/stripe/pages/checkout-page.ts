import { setTimeout } from 'node:timers/promises';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Checkout } from '../checkout.ts';
import { formatMoney, formatRecurringMoney } from '../money.ts';
import type { Store } from '../store.ts';
import { StripeApiError } from '../stripe-error.ts';
import { findTestPaymentMethod } from '../test-payment-methods.ts';
import { readFormFields } from './form-fields.ts';
import { renderPage } from './layout.ts';
import { EMPTY_INPUT, type FormInput, parseCard, renderCardFields } from './payment-fields.ts';

export interface CheckoutRoutesOptions {
  readonly store: Store;
  readonly checkout: Checkout;
  readonly getBaseUrl: () => string;
  /** Delay of the slow test card, in milliseconds. */
  readonly slowCardDelay: number;
}

function getStatus(hasErrors: boolean, error: string | undefined): number {
  if (hasErrors) return 400;
  return error === undefined ? 200 : 402;
}

/** Creates the payment page of a Checkout Session. The page accepts only cards. */
export function createCheckoutPageRoutes({
  store,
  checkout,
  getBaseUrl,
  slowCardDelay,
}: CheckoutRoutesOptions): Hono {
  const app = new Hono();

  /** @param error error message about the payment as a whole. */
  const renderForm = (
    id: string,
    {
      input = EMPTY_INPUT,
      error,
    }: { readonly input?: FormInput; readonly error?: string | undefined },
  ): Promise<Response> => {
    const session = store.runInTransaction(() => checkout.getSession(id));
    const [lineItem] = session.line_items!.data;
    const [amount, currency] = [session.amount_total!, session.currency!];
    const hasErrors = Object.keys(input.errors).length > 0;
    const problem = error ?? (hasErrors ? 'Please check the highlighted fields.' : undefined);
    return renderPage(
      getBaseUrl(),
      hasErrors ? 'Check your entries' : 'Checkout',
      html`
<p class="eyebrow">${lineItem!.description}</p>
<h1>${formatRecurringMoney(amount, currency, lineItem!.price?.recurring ?? null)}</h1>
<form method="post" action="${getBaseUrl()}/c/pay/${id}" novalidate>
  ${problem === undefined ? '' : html`<p class="problem" role="alert">${problem}</p>`}
  ${
    session.customer_email === null
      ? html`<div><label for="email">Email</label><input
            id="email" name="email" type="email" autocomplete="email"></div>`
      : html`<dl class="terms"><div><dt>Email</dt><dd>${session.customer_email}</dd></div></dl>`
  }
  ${renderCardFields(input)}
  <div class="buttons"><button class="main">${
    session.submit_type === 'donate' ? 'Donate' : 'Pay'
  } ${formatMoney(amount, currency)}</button>${
    session.cancel_url === null ? '' : html`<a class="button" href="${session.cancel_url}">Back</a>`
  }</div>
</form>`,
      { status: getStatus(hasErrors, error) },
    );
  };

  app.get('/c/pay/:id', async (c) => {
    const session = store.runInTransaction(() => checkout.getSession(c.req.param('id')));
    if (session.status === 'complete') return c.redirect(checkout.getSuccessUrl(session), 303);
    if (session.status === 'open')
      return renderForm(session.id, { error: checkout.getLastError(session) });
    return renderPage(
      getBaseUrl(),
      'Page expired',
      html`<h1>This page has expired</h1><p class="quiet">You haven't been charged.</p>`,
      { status: 410 },
    );
  });

  app.post('/c/pay/:id', async (c) => {
    const id = c.req.param('id');
    const { email = '', ...fields } = await readFormFields(c);
    const card = parseCard(fields);
    if (!('number' in card)) return renderForm(id, { input: card });
    if (findTestPaymentMethod(card.number)?.response === 'slow') await setTimeout(slowCardDelay);
    try {
      return c.redirect(
        store.runInTransaction(() => checkout.paySession(id, card.number, email)),
        303,
      );
    } catch (error) {
      if (error instanceof StripeApiError && error.error.type === 'card_error')
        return renderForm(id, { error: error.message });
      throw error;
    }
  });
  return app;
}
