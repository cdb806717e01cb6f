import { html } from 'hono/html';
import { moment } from './format-time.ts';
import { minorUnits, money } from '../processor/money.ts';
import type { Html } from '../processor/pages/page.ts';
import type { Mail, Payment } from '../processor/records.ts';
import { leftOf } from '../processor/reversals.ts';
import type { Till } from '../processor/till.ts';
import { refusal, shown } from '../lib/request-parsing.ts';

const LATEST_PAYMENTS = 8;
const LATEST_MAILS = 5;
const PILLS: Partial<Readonly<Record<Payment['state'], string>>> = {
  succeeded: 'good',
  declined: 'other',
  action: 'other',
  pending: 'other',
};

/** The latest payments of the processor, and what can be brought about with each. */
export function paymentsSection(till: Till): Html {
  const payments = till.ledger.latestPayments(LATEST_PAYMENTS);
  return html`<section id="payments" aria-labelledby="payments-head">
  <div class="head"><h2 id="payments-head">Payments</h2><p class="hint">of the card processor</p></div>
  ${payments.length === 0 ? html`<p class="empty">No payment yet. One that a donation form makes shows here.</p>` : html`<ul class="gifts">${payments.map((payment) => row(till, payment))}</ul>`}
</section>`;
}

function row({ ledger }: Till, payment: Payment): Html {
  const { reference, source, state, declineCode, refunds, dispute, renewalOf, created } = payment;
  const subscription =
    payment.subscription === null ? undefined : ledger.subscription(payment.subscription);
  const given = payment.amount - leftOf(payment);
  const quiet = [
    reference,
    source && `${source.method} •••• ${source.lastFour}`,
    renewalOf && 'renewal',
    subscription && `subscription ${subscription.state}`,
  ]
    .filter(Boolean)
    .join(' · ');
  return html`<li>
    <div class="who"><strong>${payment.description || payment.email || reference}</strong><span class="quiet">${quiet}</span></div>
    <div class="sum"><strong>${money(payment)}</strong><span class="quiet">${payment.frequency}</span></div>
    <div class="when"><span class="pill ${PILLS[state] ?? ''}">${state}</span>${dispute ? html` <span class="pill ${dispute.state === 'won' ? 'good' : 'other'}">dispute ${dispute.state}</span>` : ''}${refunds.length > 0 ? html` <span class="pill">${money({ ...payment, amount: given })} refunded</span>` : ''}<span class="quiet">${[declineCode, moment(new Date(created))].filter(Boolean).join(' · ')}</span></div>
    ${buttons(payment, subscription?.state)}
  </li>`;
}

function buttons(payment: Payment, subscription: string | undefined): Html | string {
  const { id, state, dispute } = payment;
  const isPaid = state === 'succeeded' && leftOf(payment) > 0;
  const actions = [
    isPaid && (!dispute || dispute.state === 'won') && ['refund', 'Refund all'],
    isPaid && !dispute && ['dispute', 'Dispute'],
    dispute?.state === 'open' && ['won', 'Win the dispute'],
    dispute?.state === 'open' && ['lost', 'Lose the dispute'],
    subscription !== undefined &&
      subscription !== 'cancelled' && ['cancel', 'Cancel the subscription'],
  ].filter((action) => Array.isArray(action));
  if (actions.length === 0) return '';
  const hidden = html`<input type="hidden" name="id" value="${id}">`;
  return html`<details><summary>What can happen<span class="unseen"> to ${money(payment)}, ${payment.reference}</span></summary>
    <form class="row" method="post" action="/page/payments">${hidden}${actions.map(([action, words]) => html`<button name="action" value="${action}">${words}</button>`)}</form>
    ${actions.some(([action]) => action === 'refund') ? html`<form class="row part" method="post" action="/page/payments">${hidden}<input name="amount" inputmode="decimal" required aria-label="Part to refund, in ${payment.currency}" placeholder="of ${money({ ...payment, amount: leftOf(payment) })}"><button name="action" value="refund">Refund a part</button></form>` : ''}
  </details>`;
}

/** Does what a button of the section asks for. @throws a refusal that says why not. */
export function changePayment(
  { ledger, reversals, subscriptions, change, now }: Till,
  { id = '', action, amount }: Readonly<Record<string, string>>,
): void {
  const payment = ledger.payment(id);
  if (!payment) throw refusal(`There is no payment ${shown(id)}.`);
  change(() => {
    if (action === 'refund')
      reversals.refund(
        payment,
        amount === undefined ? undefined : readPart(amount, payment.currency),
      );
    else if (action === 'dispute') reversals.dispute(payment);
    else if (action === 'won' || action === 'lost') reversals.endDispute(payment, action);
    else if (action === 'cancel' && payment.subscription !== null)
      subscriptions.end(ledger.subscription(payment.subscription)!, now());
    else
      throw refusal(`action is ${shown(action)}; expected refund, dispute, won, lost or cancel.`);
  });
}

function readPart(written: string, currency: string): number {
  const amount = minorUnits(written, currency);
  if (!Number.isInteger(amount)) throw refusal(`${shown(written)} is no sum in ${currency}.`);
  return amount;
}

export function mailsSection({ ledger }: Till): Html {
  const mails = ledger.mails();
  const mail = ({ to, subject, text, link, created }: Mail): Html => html`<li>
    <p><strong>${subject}</strong></p><p class="quiet">to ${to} · ${moment(new Date(created))}</p><p>${text}</p>${link === null ? '' : html`<p><a href="${link}">${link}</a></p>`}
  </li>`;
  return html`<section id="mails" aria-labelledby="mails-head">
  <div class="head"><h2 id="mails-head">Mails that the processor would have sent</h2></div>
  ${mails.length === 0 ? html`<p class="empty">None. Donors ask for one at <a href="/processor/portal">their own page</a>.</p>` : html`<ul class="lines">${mails.slice(0, LATEST_MAILS).map(mail)}</ul>`}
</section>`;
}
