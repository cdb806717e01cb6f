import { setTimeout } from 'node:timers/promises';
import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import {
  renderBankFields,
  renderCardFields,
  EMPTY_INPUT,
  parseFormInput,
  renderMethodChoice,
  type FormInput,
} from '../fields.ts';
import { formatMoney, formatRecurringMoney } from '../money.ts';
import {
  renderReturnPage,
  renderNotFoundPage,
  renderPage,
  redirectToSite,
  buildReturnUrl,
} from './page.ts';
import type { Payment } from '../records.ts';
import type { ProcessorContext } from '../context.ts';

export interface HostedPageOptions extends ProcessorContext {
  /** Delay of the slow test card, in milliseconds. */
  readonly slowCardDelay: number;
}

/** Creates the processor's hosted payment page. */
export function createHostedPageRoutes({
  ledger,
  payments,
  runTransaction,
  slowCardDelay,
}: HostedPageOptions): Hono {
  const app = new Hono();
  const findHostedPayment = (c: Context): Payment | undefined => {
    const payment = ledger.findPaymentBySecret(c.req.param('secret') ?? '');
    return payment?.hosted ? payment : undefined;
  };
  const redirectToAction = (c: Context, payment: Payment): Response | undefined =>
    payment.state === 'action'
      ? c.redirect(`/processor/authenticate/${payment.secret}`, 303)
      : undefined;

  app.get('/pay/:secret', (c) => {
    const payment = findHostedPayment(c);
    if (!payment) return renderNotFoundPage(c);
    return payment.state === 'open'
      ? renderPaymentForm(c, payment, EMPTY_INPUT)
      : (redirectToAction(c, payment) ?? redirectToSite(c, payment));
  });

  app.post('/pay/:secret', async (c) => {
    const input = parseFormInput(await c.req.parseBody(), ['card', 'bank']);
    if ('source' in input && input.source.behavior === 'slow') await setTimeout(slowCardDelay);
    const payment = findHostedPayment(c);
    if (!payment) return renderNotFoundPage(c);
    if (payment.state === 'open' && !('source' in input))
      return renderPaymentForm(c, payment, input);
    const confirmed =
      payment.state === 'open' && 'source' in input
        ? runTransaction(() => payments.confirm(payment, input.source))
        : payment;
    return redirectToAction(c, confirmed) ?? renderReturnPage(c, confirmed);
  });

  return app;
}

function renderPaymentForm(c: Context, payment: Payment, input: FormInput): Promise<Response> {
  const hasErrors = Object.keys(input.errors).length > 0;
  return renderPage(
    c,
    hasErrors ? 'Check your entries' : 'Pay',
    html`
<p class="eyebrow">${payment.description || 'Payment'}</p>
<h1>${formatRecurringMoney(payment)}</h1>
<form method="post" novalidate>
  ${hasErrors ? html`<p class="problem" role="alert">Please check the highlighted fields.</p>` : ''}
  ${renderMethodChoice(input)}${renderCardFields(input)}${renderBankFields(input)}
  <div class="buttons"><button class="main">Pay ${formatMoney(payment)}</button><a
    class="button"
    href="${buildReturnUrl(payment.returnUrl ?? '', payment.id)}"
  >Back</a></div>
</form>`,
    { status: hasErrors ? 400 : 200 },
  );
}
