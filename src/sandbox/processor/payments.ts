import type { Faults } from '../lib/faults.ts';
import type { Tell } from './events.ts';
import { newId, newSecret } from './ids.ts';
import type { Ledger } from './ledger.ts';
import { money } from './money.ts';
import type { Mail, Payment, PaymentTerms, Source, Subscription } from './records.ts';
import type { Subscriptions } from './subscriptions.ts';
import { charge, type ChargeResult } from './test-numbers.ts';

export interface PaymentsOptions {
  readonly ledger: Ledger;
  readonly subscriptions: Subscriptions;
  readonly faults: Faults;
  readonly tell: Tell;
  readonly now: () => Date;
}

const DAY = 86_400_000;
const SETTLED_AFTER = 3 * DAY;
const DISPUTED_AFTER = DAY;

const SUCCEEDED: ChargeResult = { state: 'succeeded', declineCode: null };

/** What may happen to a payment. Each of these is a part of a change that the caller makes. */
export class Payments {
  readonly #options: PaymentsOptions;

  constructor(options: PaymentsOptions) {
    this.#options = options;
  }

  /** Opens a payment; no money moves. */
  open(terms: PaymentTerms): Payment {
    const subscription =
      terms.frequency === 'once' ? null : this.#options.subscriptions.open(terms).id;
    return this.#options.ledger.keepPayment(newPayment(terms, subscription, this.#options.now()));
  }

  /** Charges an open payment. */
  confirm(payment: Payment, source: Source, returnUrl: string | null = payment.returnUrl): Payment {
    return this.#arrive(
      { ...payment, source, returnUrl },
      this.#charge(source, false),
      this.#options.now(),
    );
  }

  /** The donor said yes or no to the bank. */
  authenticate(payment: Payment, isConfirmed: boolean): Payment {
    return this.#arrive(
      payment,
      isConfirmed ? SUCCEEDED : { state: 'declined', declineCode: 'authentication-refused' },
      this.#options.now(),
    );
  }

  /** Ends a payment before money moved, and its subscription. */
  cancel(payment: Payment): Payment {
    const { ledger, subscriptions, tell, now } = this.#options;
    tell('payment.canceled', { payment: payment.id }, now());
    const subscription = this.#subscriptionOf(payment);
    if (subscription) subscriptions.end(subscription, now());
    return ledger.keepPayment({ ...payment, state: 'canceled' });
  }

  /** A debit arrives, or comes back. */
  settle(payment: Payment, at: Date): void {
    this.#arrive(
      payment,
      payment.source?.behaviour === 'account-closed'
        ? { state: 'declined', declineCode: 'account-closed' }
        : SUCCEEDED,
      at,
    );
  }

  /** Takes what a period brings, or what failed before. */
  renew(subscription: Subscription, at: Date): void {
    const { ledger, subscriptions } = this.#options;
    const [first] = ledger.paymentsOf(subscription.id);
    const { source } = subscription;
    if (!first || !source) return;
    const result = this.#charge(source, true);
    if (result.state === 'pending') subscriptions.renewing(subscription);
    this.#arrive(
      {
        ...newPayment(first, subscription.id, at),
        hosted: false,
        returnUrl: null,
        renewalOf: first.id,
        source,
      },
      result,
      at,
    );
  }

  #charge(source: Source, isRenewal: boolean): ChargeResult {
    return source.method === 'card' && this.#options.faults.take('decline')
      ? { state: 'declined', declineCode: 'decline' }
      : charge(source, isRenewal);
  }

  /** Keeps what a charge came to, and lets its subscription know. */
  #arrive(before: Payment, { state, declineCode }: ChargeResult, at: Date): Payment {
    const { ledger, tell } = this.#options;
    const payment = ledger.keepPayment({
      ...before,
      state,
      declineCode,
      dueAt: dueAfter(before, state, at),
    });
    if (state === 'pending') tell('payment.pending', { payment: payment.id }, at);
    if (state === 'succeeded') tell('payment.succeeded', { payment: payment.id }, at);
    if (state === 'succeeded' && payment.receipt && payment.email !== '')
      ledger.keepMail(receipt(payment, at));
    if (state === 'declined') tell('payment.failed', { payment: payment.id }, at);
    this.#carryOn(payment, before.state === 'pending', at);
    return payment;
  }

  #carryOn(payment: Payment, wasPending: boolean, at: Date): void {
    const { subscriptions } = this.#options;
    const subscription = this.#subscriptionOf(payment);
    if (!subscription) return;
    if (payment.renewalOf === null) {
      if (payment.state === 'succeeded') subscriptions.start(subscription, payment.source, at);
    } else if (payment.state === 'succeeded') {
      subscriptions.renewed(subscription, payment.id, wasPending, at);
    } else if (payment.state === 'declined') {
      subscriptions.renewalFailed(subscription, payment.id, wasPending, at);
    }
  }

  #subscriptionOf({ subscription }: Payment): Subscription | undefined {
    return subscription === null ? undefined : this.#options.ledger.subscription(subscription);
  }
}

function newPayment(
  {
    reference,
    amount,
    currency,
    frequency,
    email,
    description,
    receipt,
    hosted,
    returnUrl,
  }: PaymentTerms,
  subscription: string | null,
  at: Date,
): Payment {
  return {
    reference,
    amount,
    currency,
    frequency,
    email,
    description,
    receipt,
    hosted,
    returnUrl,
    subscription,
    id: newId('pay'),
    secret: newSecret(),
    state: 'open',
    declineCode: null,
    source: null,
    renewalOf: null,
    refunds: [],
    dispute: null,
    dueAt: null,
    created: at.toISOString(),
  };
}

function receipt({ email, reference, renewalOf, ...payment }: Payment, at: Date): Mail {
  const text = `Thank you. ${money(payment)} has arrived${renewalOf === null ? '' : ', as your recurring gift'}. Reference: ${reference}`;
  return {
    to: email,
    subject: `Receipt for ${money(payment)}`,
    text,
    link: null,
    created: at.toISOString(),
  };
}

/** When the clock has more to bring, ISO 8601. */
function dueAfter(
  { source, renewalOf }: Payment,
  state: Payment['state'],
  at: Date,
): string | null {
  if (state === 'pending') return new Date(at.getTime() + SETTLED_AFTER).toISOString();
  if (state === 'succeeded' && source?.behaviour === 'dispute' && renewalOf === null)
    return new Date(at.getTime() + DISPUTED_AFTER).toISOString();
  return null;
}
