import { setTimeout } from 'node:timers/promises';
import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import { bankFields, cardFields, EMPTY, readFilled, wayFields, type Filled } from '../fields.ts';
import { money, moneyEvery } from '../money.ts';
import { leadBack, noSuchPage, page, redirectBack, returnAddress } from './page.ts';
import type { Payment } from '../records.ts';
import type { Till } from '../till.ts';

export interface HostedPageOptions extends Till {
  /** How long the slow card takes, in milliseconds. */
  readonly slowCardTime: number;
}

/** The processor's own payment page. */
export function hostedPage({ ledger, payments, change, slowCardTime }: HostedPageOptions): Hono {
  const app = new Hono();
  const paymentOf = (c: Context): Payment | undefined => {
    const payment = ledger.paymentBehind(c.req.param('secret') ?? '');
    return payment?.hosted ? payment : undefined;
  };
  const next = (c: Context, payment: Payment): Response | undefined =>
    payment.state === 'action'
      ? c.redirect(`/processor/authenticate/${payment.secret}`, 303)
      : undefined;

  app.get('/pay/:secret', (c) => {
    const payment = paymentOf(c);
    if (!payment) return noSuchPage(c);
    return payment.state === 'open'
      ? form(c, payment, EMPTY)
      : (next(c, payment) ?? redirectBack(c, payment));
  });

  app.post('/pay/:secret', async (c) => {
    const filled = readFilled(await c.req.parseBody(), ['card', 'bank']);
    if ('source' in filled && filled.source.behaviour === 'slow') await setTimeout(slowCardTime);
    const payment = paymentOf(c);
    if (!payment) return noSuchPage(c);
    if (payment.state === 'open' && !('source' in filled)) return form(c, payment, filled);
    const paid =
      payment.state === 'open' && 'source' in filled
        ? change(() => payments.confirm(payment, filled.source))
        : payment;
    return next(c, paid) ?? leadBack(c, paid);
  });

  return app;
}

function form(c: Context, payment: Payment, filled: Filled): Promise<Response> {
  const isWrong = Object.keys(filled.problems).length > 0;
  return page(
    c,
    isWrong ? 'Please check' : 'Pay',
    html`
<p class="eyebrow">${payment.description || 'Payment'}</p>
<h1>${moneyEvery(payment)}</h1>
<form method="post" novalidate>
  ${isWrong ? html`<p class="problem" role="alert">Please check the fields that are marked.</p>` : ''}
  ${wayFields(filled)}${cardFields(filled)}${bankFields(filled)}
  <div class="buttons"><button class="main">Pay ${money(payment)}</button><a class="button" href="${returnAddress(payment.returnUrl ?? '', payment.id)}">Back</a></div>
</form>`,
    { status: isWrong ? 400 : 200 },
  );
}
