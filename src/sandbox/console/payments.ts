import { html } from 'hono/html';
import type { Stripe } from 'stripe';
import { createRequestError, formatForMessage } from '../lib/request-parsing.ts';
import { findSubscription, getLatestDisputeId, runControlAction } from '../stripe/controls.ts';
import type { StripeEmulator } from '../stripe/emulator.ts';
import { getReferencedId } from '../stripe/ids.ts';
import { formatMoney, formatRecurringMoney, parseMinorUnits } from '../stripe/money.ts';
import { formatDateTime } from './format-time.ts';

type Html = ReturnType<typeof html>;

interface Payment {
  readonly intent: Stripe.PaymentIntent;
  readonly charge: Stripe.Charge | undefined;
  readonly dispute: Stripe.Dispute | undefined;
  readonly subscription: Stripe.Subscription | undefined;
  readonly isRenewal: boolean;
}

const MAX_PAYMENTS = 5;
const PILL_CLASSES: Partial<Readonly<Record<Stripe.PaymentIntent.Status, string>>> = {
  succeeded: 'good',
  processing: 'other',
  requires_action: 'other',
};

/** Renders the latest payments with their available actions. */
export function renderPayments(stripe: StripeEmulator): Html {
  const payments = stripe.store
    .listLatestObjects('payment_intent', MAX_PAYMENTS)
    .map((intent) => findPayment(stripe, intent));
  return html`<section id="payments" aria-labelledby="payments-head">
  <div class="head"><h2 id="payments-head">Payments at Stripe</h2><p class="hint">Emulated account</p>
    <p class="purpose">Charges to donors; refund, dispute, or cancel them here</p></div>
  ${
    payments.length === 0
      ? html`<p class="empty">No payments yet. Payments from a donation form appear here.</p>`
      : html`<ul class="gifts">${payments.map(renderPayment)}</ul>`
  }
</section>`;
}

function findPayment(stripe: StripeEmulator, intent: Stripe.PaymentIntent): Payment {
  const { store } = stripe;
  const [invoicePayment] = store.listObjectsByField(
    'invoice_payment',
    'payment.payment_intent',
    intent.id,
  );
  return {
    intent,
    charge: intent.latest_charge
      ? store.getObject('charge', getReferencedId(intent.latest_charge))
      : undefined,
    dispute: store.listObjectsByField('dispute', 'payment_intent', intent.id).at(-1),
    subscription: findSubscription(stripe, intent.id),
    isRenewal:
      invoicePayment !== undefined &&
      store.getObject('invoice', getReferencedId(invoicePayment.invoice)).billing_reason ===
        'subscription_cycle',
  };
}

function renderPayment(payment: Payment): Html {
  const { intent, charge, dispute, subscription, isRenewal } = payment;
  const { amount, currency, status, last_payment_error: error, created } = intent;
  const { donation_form_reference: reference } = { ...subscription?.metadata, ...intent.metadata };
  const recurring = subscription?.items.data[0]?.price.recurring ?? null;
  const details = [
    reference,
    charge && formatMethod(charge),
    isRenewal && 'renewal',
    subscription && `subscription ${subscription.status}`,
  ]
    .filter(Boolean)
    .join(' · ');
  const title = [subscription?.description ?? intent.description, intent.receipt_email].find(
    Boolean,
  );
  return html`<li>
    <div class="who"><strong>${title ?? reference ?? intent.id}</strong><span class="quiet">${details}</span></div>
    <div class="sum"><strong>${formatMoney(amount, currency)}</strong><span class="quiet">${
      recurring
        ? formatRecurringMoney(amount, currency, recurring).replace(/^.* every/, 'every')
        : 'once'
    }</span></div>
    <div class="when"><span class="pill ${PILL_CLASSES[status] ?? ''}">${status.replaceAll('_', ' ')}</span>${
      dispute
        ? html` <span class="pill ${
            dispute.status === 'won' ? 'good' : 'other'
          }">dispute ${dispute.status.replaceAll('_', ' ')}</span>`
        : ''
    }${
      charge && charge.amount_refunded > 0
        ? html` <span class="pill">${formatMoney(charge.amount_refunded, currency)} refunded</span>`
        : ''
    }<span class="quiet">${[
      error?.decline_code ?? error?.code,
      formatDateTime(new Date(created * 1_000)),
    ]
      .filter(Boolean)
      .join(' · ')}</span></div>
    ${renderPaymentActions(payment, reference ?? intent.id)}
  </li>`;
}

function formatMethod({ payment_method_details: details }: Stripe.Charge): string {
  const type = details?.type ?? '';
  const { last4 } =
    (details as unknown as Record<string, { last4?: string } | undefined>)[type] ?? {};
  return last4 ? `${type.replaceAll('_', ' ')} •••• ${last4}` : type.replaceAll('_', ' ');
}

function renderPaymentActions(
  { intent: { id, amount, currency, status }, charge, dispute, subscription }: Payment,
  reference: string,
): Html | string {
  const refundable = status === 'succeeded' && charge ? amount - charge.amount_refunded : 0;
  const isDisputeOpen = dispute?.status === 'needs_response';
  const actions = [
    refundable > 0 && (!dispute || dispute.status === 'won') && ['refund', 'Refund in full'],
    refundable > 0 && !dispute && ['dispute', 'Dispute'],
    isDisputeOpen && ['won', 'Win dispute'],
    isDisputeOpen && ['lost', 'Lose dispute'],
    status === 'processing' && ['fail-debit', 'Fail debit'],
    subscription &&
      !['canceled', 'incomplete_expired'].includes(subscription.status) && [
        'cancel',
        'Cancel subscription',
      ],
  ].filter((action) => Array.isArray(action));
  if (actions.length === 0) return '';
  const idField = html`<input type="hidden" name="id" value="${id}">`;
  return html`<details><summary>Actions<span class="unseen"> for ${formatMoney(amount, currency)}, ${reference}</span></summary>
    <form class="row" method="post" action="/page/payments">${idField}${actions.map(
      ([action, label]) => html`<button name="action" value="${action}">${label}</button>`,
    )}</form>
    ${
      actions.some(([action]) => action === 'refund')
        ? html`<form class="row part" method="post" action="/page/payments">${idField}<input
          name="amount"
          inputmode="decimal"
          required
          aria-label="Amount to refund in ${currency.toUpperCase()}"
          placeholder="of ${formatMoney(refundable, currency)}"
        ><button name="action" value="refund">Refund part</button></form>`
        : ''
    }
  </details>`;
}

/**
 * Performs the action that a button in the payments section requests.
 * @throws HTTPException if the payment does not allow the action.
 */
export function applyPaymentAction(
  stripe: StripeEmulator,
  { id = '', action, amount }: Readonly<Record<string, string>>,
): void {
  runControlAction(() => {
    const { currency } = stripe.store.getObject('payment_intent', id);
    const subscription = findSubscription(stripe, id);
    if (action === 'refund')
      stripe.createRefund(id, amount === undefined ? undefined : parseAmount(amount, currency));
    else if (action === 'dispute') stripe.openDispute(id);
    else if (action === 'won' || action === 'lost')
      stripe.closeDispute(getLatestDisputeId(stripe, id), action);
    else if (action === 'fail-debit') stripe.failDebit(id);
    else if (action === 'cancel' && subscription) stripe.cancelSubscription(subscription.id);
    else
      throw createRequestError(
        `action is ${formatForMessage(action)}; expected refund, dispute, won, lost, fail-debit, or cancel.`,
      );
  });
}

function parseAmount(text: string, currency: string): number {
  const amount = parseMinorUnits(text, currency);
  if (!Number.isInteger(amount) || amount < 1)
    throw createRequestError(
      `amount is ${formatForMessage(text)}; expected an amount greater than 0 in ${currency.toUpperCase()}.`,
    );
  return amount;
}
