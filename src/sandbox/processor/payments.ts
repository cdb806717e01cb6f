import type { Faults } from '../lib/faults.ts';
import type { RecordEvent } from './events.ts';
import { createId, createSecret } from './ids.ts';
import type { Ledger } from './ledger.ts';
import { formatMoney } from './money.ts';
import type { Email, Payment, PaymentRequest, Source, Subscription } from './records.ts';
import type { SubscriptionService } from './subscriptions.ts';
import { simulateCharge, type ChargeResult } from './test-numbers.ts';

export interface PaymentServiceOptions {
  readonly ledger: Ledger;
  readonly subscriptions: SubscriptionService;
  readonly faults: Faults;
  readonly recordEvent: RecordEvent;
  readonly now: () => Date;
}

const DAY = 86_400_000;
const SETTLEMENT_DELAY = 3 * DAY;
const DISPUTE_DELAY = DAY;

const SUCCEEDED: ChargeResult = { state: 'succeeded', declineCode: null };

/** State changes of payments. Every method must be called within a transaction. */
export class PaymentService {
  readonly #options: PaymentServiceOptions;

  constructor(options: PaymentServiceOptions) {
    this.#options = options;
  }

  /** Creates an open payment without charging it, and its subscription if it recurs. */
  create(request: PaymentRequest): Payment {
    const subscription =
      request.frequency === 'once'
        ? null
        : this.#options.subscriptions.createSubscription(request).id;
    return this.#options.ledger.savePayment(
      createPayment(request, subscription, this.#options.now()),
    );
  }

  /** Charges an open payment. */
  confirm(payment: Payment, source: Source, returnUrl: string | null = payment.returnUrl): Payment {
    return this.#recordResult(
      { ...payment, source, returnUrl },
      this.#charge(source, false),
      this.#options.now(),
    );
  }

  /** Completes or declines a payment after the donor's answer to the bank. */
  authenticate(payment: Payment, isConfirmed: boolean): Payment {
    return this.#recordResult(
      payment,
      isConfirmed ? SUCCEEDED : { state: 'declined', declineCode: 'authentication-refused' },
      this.#options.now(),
    );
  }

  /** Cancels a payment before it is charged, and its subscription. */
  cancel(payment: Payment): Payment {
    const { ledger, subscriptions, recordEvent, now } = this.#options;
    recordEvent('payment.canceled', { payment: payment.id }, now());
    const subscription = this.#findSubscription(payment);
    if (subscription) subscriptions.cancelSubscription(subscription, now());
    return ledger.savePayment({ ...payment, state: 'canceled' });
  }

  /** Settles or declines a pending bank debit. */
  settle(payment: Payment, at: Date): void {
    this.#recordResult(
      payment,
      payment.source?.behavior === 'account-closed'
        ? { state: 'declined', declineCode: 'account-closed' }
        : SUCCEEDED,
      at,
    );
  }

  /** Charges the next renewal of a subscription, or retries a failed one. */
  renew(subscription: Subscription, at: Date): void {
    const { ledger, subscriptions } = this.#options;
    const [first] = ledger.listSubscriptionPayments(subscription.id);
    const { source } = subscription;
    if (!first || !source) return;
    const result = this.#charge(source, true);
    if (result.state === 'pending') subscriptions.recordPendingRenewal(subscription);
    this.#recordResult(
      {
        ...createPayment(first, subscription.id, at),
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
    return source.method === 'card' && this.#options.faults.consumeFault('decline')
      ? { state: 'declined', declineCode: 'decline' }
      : simulateCharge(source, isRenewal);
  }

  /** Saves the result of a charge, records its events, and updates its subscription. */
  #recordResult(previous: Payment, { state, declineCode }: ChargeResult, at: Date): Payment {
    const { ledger, recordEvent } = this.#options;
    const payment = ledger.savePayment({
      ...previous,
      state,
      declineCode,
      dueAt: getNextTaskTime(previous, state, at),
    });
    if (state === 'pending') recordEvent('payment.pending', { payment: payment.id }, at);
    if (state === 'succeeded') recordEvent('payment.succeeded', { payment: payment.id }, at);
    if (state === 'succeeded' && payment.receipt && payment.email !== '')
      ledger.insertEmail(createReceiptEmail(payment, at));
    if (state === 'declined') recordEvent('payment.failed', { payment: payment.id }, at);
    this.#updateSubscription(payment, previous.state === 'pending', at);
    return payment;
  }

  #updateSubscription(payment: Payment, wasPending: boolean, at: Date): void {
    const { subscriptions } = this.#options;
    const subscription = this.#findSubscription(payment);
    if (!subscription) return;
    if (payment.renewalOf === null) {
      if (payment.state === 'succeeded')
        subscriptions.activateSubscription(subscription, payment.source, at);
    } else if (payment.state === 'succeeded') {
      subscriptions.recordRenewal(subscription, payment.id, wasPending, at);
    } else if (payment.state === 'declined') {
      subscriptions.recordFailedRenewal(subscription, payment.id, wasPending, at);
    }
  }

  #findSubscription({ subscription }: Payment): Subscription | undefined {
    return subscription === null ? undefined : this.#options.ledger.findSubscription(subscription);
  }
}

function createPayment(
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
  }: PaymentRequest,
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
    id: createId('pay'),
    secret: createSecret(),
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

function createReceiptEmail({ email, reference, renewalOf, ...payment }: Payment, at: Date): Email {
  const gift = renewalOf === null ? 'gift' : 'recurring gift';
  const text = `Thank you. We received your ${gift} of ${formatMoney(payment)}. Reference: ${reference}`;
  return {
    to: email,
    subject: `Receipt for ${formatMoney(payment)}`,
    text,
    link: null,
    created: at.toISOString(),
  };
}

/** Returns the time of the payment's next scheduled task, ISO 8601, or `null` if it has none. */
function getNextTaskTime(
  { source, renewalOf }: Payment,
  state: Payment['state'],
  at: Date,
): string | null {
  if (state === 'pending') return new Date(at.getTime() + SETTLEMENT_DELAY).toISOString();
  if (state === 'succeeded' && source?.behavior === 'dispute' && renewalOf === null)
    return new Date(at.getTime() + DISPUTE_DELAY).toISOString();
  return null;
}
