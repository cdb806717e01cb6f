import { html } from 'hono/html';
import { formatDateTime } from './format-time.ts';
import { parseMinorUnits, formatMoney } from '../processor/money.ts';
import type { Html } from '../processor/pages/page.ts';
import type { Email, Payment } from '../processor/records.ts';
import { getRefundableAmount } from '../processor/reversals.ts';
import type { ProcessorContext } from '../processor/context.ts';
import { createRequestError, formatForMessage } from '../lib/request-parsing.ts';

const MAX_PAYMENTS = 8;
const MAX_EMAILS = 5;
const PILL_CLASSES: Partial<Readonly<Record<Payment['state'], string>>> = {
  succeeded: 'good',
  declined: 'other',
  action: 'other',
  pending: 'other',
};

/** Renders the latest payments, each with its available actions. */
export function renderPayments(processor: ProcessorContext): Html {
  const payments = processor.ledger.listLatestPayments(MAX_PAYMENTS);
  return html`<section id="payments" aria-labelledby="payments-head">
  <div class="head"><h2 id="payments-head">Payments</h2><p class="hint">Payment processor</p></div>
  ${
    payments.length === 0
      ? html`<p class="empty">No payments yet. Payments from a donation form appear here.</p>`
      : html`<ul class="gifts">${payments.map((payment) => renderPayment(processor, payment))}</ul>`
  }
</section>`;
}

function renderPayment({ ledger }: ProcessorContext, payment: Payment): Html {
  const { reference, source, state, declineCode, refunds, dispute, renewalOf, created } = payment;
  const subscription =
    payment.subscription === null ? undefined : ledger.findSubscription(payment.subscription);
  const refunded = payment.amount - getRefundableAmount(payment);
  const details = [
    reference,
    source && `${source.method} •••• ${source.lastFour}`,
    renewalOf && 'renewal',
    subscription && `subscription ${subscription.state}`,
  ]
    .filter(Boolean)
    .join(' · ');
  return html`<li>
    <div class="who"><strong>${
      payment.description || payment.email || reference
    }</strong><span class="quiet">${details}</span></div>
    <div class="sum"><strong>${formatMoney(payment)}</strong><span class="quiet">${payment.frequency}</span></div>
    <div class="when"><span class="pill ${PILL_CLASSES[state] ?? ''}">${state}</span>${
      dispute
        ? html` <span class="pill ${dispute.state === 'won' ? 'good' : 'other'}">dispute ${dispute.state}</span>`
        : ''
    }${
      refunds.length > 0
        ? html` <span class="pill">${formatMoney({ ...payment, amount: refunded })} refunded</span>`
        : ''
    }<span class="quiet">${[declineCode, formatDateTime(new Date(created))]
      .filter(Boolean)
      .join(' · ')}</span></div>
    ${renderPaymentActions(payment, subscription?.state)}
  </li>`;
}

function renderPaymentActions(
  payment: Payment,
  subscriptionState: string | undefined,
): Html | string {
  const { id, state, dispute } = payment;
  const isRefundable = state === 'succeeded' && getRefundableAmount(payment) > 0;
  const actions = [
    isRefundable && (!dispute || dispute.state === 'won') && ['refund', 'Refund in full'],
    isRefundable && !dispute && ['dispute', 'Dispute'],
    dispute?.state === 'open' && ['won', 'Win dispute'],
    dispute?.state === 'open' && ['lost', 'Lose dispute'],
    subscriptionState !== undefined &&
      subscriptionState !== 'cancelled' && ['cancel', 'Cancel subscription'],
  ].filter((action) => Array.isArray(action));
  if (actions.length === 0) return '';
  const idField = html`<input type="hidden" name="id" value="${id}">`;
  return html`<details><summary>Actions<span class="unseen"> for ${formatMoney(payment)}, ${payment.reference}</span></summary>
    <form class="row" method="post" action="/page/payments">${idField}${actions.map(
      ([action, label]) => html`<button name="action" value="${action}">${label}</button>`,
    )}</form>
    ${
      actions.some(([action]) => action === 'refund')
        ? html`<form class="row part" method="post" action="/page/payments">${idField}<input
          name="amount"
          inputmode="decimal"
          required
          aria-label="Amount to refund in ${payment.currency}"
          placeholder="of ${formatMoney({ ...payment, amount: getRefundableAmount(payment) })}"
        ><button name="action" value="refund">Refund part</button></form>`
        : ''
    }
  </details>`;
}

/**
 * Applies the action of a button in the payments section.
 * @throws HTTPException if the payment does not allow the action.
 */
export function applyPaymentAction(
  { ledger, reversals, subscriptions, runTransaction, now }: ProcessorContext,
  { id = '', action, amount }: Readonly<Record<string, string>>,
): void {
  const payment = ledger.findPayment(id);
  if (!payment) throw createRequestError(`Payment ${formatForMessage(id)} does not exist.`);
  runTransaction(() => {
    if (action === 'refund')
      reversals.refund(
        payment,
        amount === undefined ? undefined : parseRefundAmount(amount, payment.currency),
      );
    else if (action === 'dispute') reversals.openDispute(payment);
    else if (action === 'won' || action === 'lost') reversals.closeDispute(payment, action);
    else if (action === 'cancel' && payment.subscription !== null)
      subscriptions.cancelSubscription(ledger.findSubscription(payment.subscription)!, now());
    else
      throw createRequestError(
        `action is ${formatForMessage(action)}; expected refund, dispute, won, lost, or cancel.`,
      );
  });
}

function parseRefundAmount(text: string, currency: string): number {
  const amount = parseMinorUnits(text, currency);
  if (!Number.isInteger(amount))
    throw createRequestError(
      `amount is ${formatForMessage(text)}; expected an amount in ${currency}.`,
    );
  return amount;
}

export function renderEmails({ ledger }: ProcessorContext): Html {
  const emails = ledger.listEmails();
  const renderEmail = ({ to, subject, text, link, created }: Email): Html => html`<li>
    <p><strong>${subject}</strong></p><p class="quiet">to ${to} · ${formatDateTime(
      new Date(created),
    )}</p><p>${text}</p>${link === null ? '' : html`<p><a href="${link}">${link}</a></p>`}
  </li>`;
  return html`<section id="emails" aria-labelledby="emails-head">
  <div class="head"><h2 id="emails-head">Emails (not sent)</h2></div>
  ${
    emails.length === 0
      ? html`<p class="empty">No emails yet. Donors can request one in the <a href="/processor/portal">customer portal</a>.</p>`
      : html`<ul class="lines">${emails.slice(0, MAX_EMAILS).map(renderEmail)}</ul>`
  }
</section>`;
}
