import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { Checkout } from '../checkout.ts';
import { getReferencedId } from '../ids.ts';
import { formatMoney } from '../money.ts';
import type { Payments } from '../payments.ts';
import type { Store } from '../store.ts';
import { createMissingError } from '../stripe-error.ts';
import { readFormFields } from './form-fields.ts';
import { renderPage } from './layout.ts';

export interface AuthenticationRoutesOptions {
  readonly store: Store;
  readonly payments: Payments;
  readonly checkout: Checkout;
  readonly getBaseUrl: () => string;
}

/**
 * Creates the pages on which a bank or wallet asks the donor to confirm a payment: `authenticate`
 * for a frame, and `redirect` for the donor's tab.
 */
export function createAuthenticationRoutes({
  store,
  payments,
  checkout,
  getBaseUrl,
}: AuthenticationRoutesOptions): Hono {
  const app = new Hono();
  const assertClientSecret = (c: Context, secret: string): string => {
    const id = c.req.param('intent') ?? '';
    if (store.getObject('payment_intent', id).client_secret !== secret)
      throw createMissingError(404, 'payment intent', id, 'intent');
    return id;
  };

  for (const route of ['authenticate', 'redirect'] as const) {
    app.get(`/${route}/:intent`, (c) => {
      const secret = c.req.query('client_secret') ?? '';
      const intent = store.getObject('payment_intent', assertClientSecret(c, secret));
      if (intent.status !== 'requires_action')
        return renderPage(
          getBaseUrl(),
          'Done',
          html`<h1>Done</h1><p class="quiet">This payment needs no further confirmation.</p>`,
        );
      const { type, card } = store.getObject(
        'payment_method',
        getReferencedId(intent.payment_method),
      );
      const method = card ? `Card •••• ${card.last4}` : type.replaceAll('_', ' ');
      return renderPage(
        getBaseUrl(),
        'Confirm your payment',
        html`
<p class="eyebrow">${card ? 'Your bank' : 'Your payment provider'}</p>
<h1>Confirm this payment?</h1>
<dl class="terms"><div class="sum"><dt>Amount</dt><dd>${formatMoney(
          intent.amount,
          intent.currency,
        )}</dd></div><div><dt>Method</dt><dd>${method}</dd></div></dl>
<form class="buttons" method="post"><input type="hidden" name="client_secret" value="${secret}">
<button class="main" name="result" value="complete">Complete</button><button name="result" value="fail">Fail</button></form>`,
      );
    });
    app.post(`/${route}/:intent`, async (c) => {
      const { client_secret = '', result } = await readFormFields(c);
      const id = assertClientSecret(c, client_secret);
      const requestedReturnUrl = store.getObject('payment_intent', id).next_action?.redirect_to_url
        ?.return_url;
      const returnUrl = requestedReturnUrl ?? checkout.findPageUrl(id);
      store.runInTransaction(() => payments.completeAuthentication(id, result === 'complete'));
      if (route === 'authenticate' || returnUrl === null)
        return renderPage(getBaseUrl(), 'Done', html`<h1>Done</h1>`, {
          scripts: ['authenticated.js'],
        });
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
  return app;
}
