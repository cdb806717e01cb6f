import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import { createRequestError } from '../lib/request-parsing.ts';
import { formatRecurringMoney } from './money.ts';
import { renderReturnPage, renderNotFoundPage, renderPage, redirectToSite } from './pages/page.ts';
import type { Payment } from './records.ts';
import type { ProcessorContext } from './context.ts';

/** Creates the page on which the donor's bank asks for authentication. */
export function createAuthenticationRoutes({
  ledger,
  payments,
  runTransaction,
}: ProcessorContext): Hono {
  const app = new Hono();
  const findPayment = (c: Context): Payment | undefined => {
    const payment = ledger.findPaymentBySecret(c.req.param('secret') ?? '');
    return payment?.state === 'open' ? undefined : payment;
  };

  app.get('/authenticate/:secret', (c) => {
    const payment = findPayment(c);
    if (!payment) return renderNotFoundPage(c);
    if (payment.state !== 'action') return redirectToSite(c, payment);
    return renderPage(
      c,
      'Confirm your payment',
      html`
<p class="eyebrow">Your bank</p>
<h1>Confirm this payment?</h1>
<dl class="terms"><div class="sum"><dt>Amount</dt><dd>${formatRecurringMoney(payment)}</dd></div><div><dt>Card</dt><dd>•••• ${payment.source?.lastFour}</dd></div></dl>
<form class="buttons" method="post"><button class="main" name="answer" value="confirm">Confirm</button><button name="answer" value="refuse">Decline</button></form>`,
    );
  });

  app.post('/authenticate/:secret', async (c) => {
    const payment = findPayment(c);
    const { answer } = await c.req.parseBody();
    if (!payment) return renderNotFoundPage(c);
    if (answer !== 'confirm' && answer !== 'refuse')
      throw createRequestError('answer must be confirm or refuse.');
    return renderReturnPage(
      c,
      payment.state === 'action'
        ? runTransaction(() => payments.authenticate(payment, answer === 'confirm'))
        : payment,
    );
  });

  return app;
}
