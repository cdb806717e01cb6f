import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import { refusal } from '../lib/request-parsing.ts';
import { moneyEvery } from './money.ts';
import { leadBack, noSuchPage, page, redirectBack } from './pages/page.ts';
import type { Payment } from './records.ts';
import type { Till } from './till.ts';

/** The page on which a donor's bank asks once more. */
export function authentication({ ledger, payments, change }: Till): Hono {
  const app = new Hono();
  const paymentOf = (c: Context): Payment | undefined => {
    const payment = ledger.paymentBehind(c.req.param('secret') ?? '');
    return payment?.state === 'open' ? undefined : payment;
  };

  app.get('/authenticate/:secret', (c) => {
    const payment = paymentOf(c);
    if (!payment) return noSuchPage(c);
    if (payment.state !== 'action') return redirectBack(c, payment);
    return page(
      c,
      'Your bank asks',
      html`
<p class="eyebrow">Your bank asks</p>
<h1>Do you confirm this payment?</h1>
<dl class="terms"><div class="sum"><dt>Sum</dt><dd>${moneyEvery(payment)}</dd></div><div><dt>Card</dt><dd>•••• ${payment.source?.lastFour}</dd></div></dl>
<form class="buttons" method="post"><button class="main" name="answer" value="confirm">Confirm</button><button name="answer" value="refuse">Refuse</button></form>`,
    );
  });

  app.post('/authenticate/:secret', async (c) => {
    const payment = paymentOf(c);
    const { answer } = await c.req.parseBody();
    if (!payment) return noSuchPage(c);
    if (answer !== 'confirm' && answer !== 'refuse')
      throw refusal('answer must be confirm or refuse.');
    return leadBack(
      c,
      payment.state === 'action'
        ? change(() => payments.authenticate(payment, answer === 'confirm'))
        : payment,
    );
  });

  return app;
}
