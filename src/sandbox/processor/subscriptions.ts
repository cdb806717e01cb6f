import type { RecordEvent } from './events.ts';
import { createId } from './ids.ts';
import type { Ledger } from './ledger.ts';
import { addPeriods } from './periods.ts';
import type { PaymentRequest, Source, Subscription } from './records.ts';

export interface SubscriptionServiceOptions {
  readonly ledger: Ledger;
  readonly recordEvent: RecordEvent;
}

const DAY = 86_400_000;
/** Delays between a failed renewal and its retries. */
const RETRY_DELAYS = [3 * DAY, 5 * DAY, 7 * DAY];

/** State changes of subscriptions. Every method must be called within a transaction. */
export class SubscriptionService {
  readonly #ledger: Ledger;
  readonly #recordEvent: RecordEvent;

  constructor({ ledger, recordEvent }: SubscriptionServiceOptions) {
    this.#ledger = ledger;
    this.#recordEvent = recordEvent;
  }

  createSubscription({ frequency, reference, email }: PaymentRequest): Subscription {
    return this.#ledger.saveSubscription({
      id: createId('sub'),
      state: 'inactive',
      frequency,
      reference,
      email,
      source: null,
      startedAt: null,
      periods: 0,
      nextAt: null,
      failures: 0,
    });
  }

  /** Activates a subscription after its first successful payment. */
  activateSubscription(subscription: Subscription, source: Source | null, at: Date): void {
    if (subscription.state !== 'inactive') return;
    this.#ledger.saveSubscription(
      scheduleNextRenewal({
        ...subscription,
        state: 'active',
        source,
        startedAt: at.toISOString(),
      }),
    );
  }

  /** Counts a renewal whose result is pending. */
  recordPendingRenewal(subscription: Subscription): void {
    this.#ledger.saveSubscription(
      scheduleNextRenewal({ ...subscription, periods: subscription.periods + 1 }),
    );
  }

  /** @param wasPending true if the period is already counted. */
  recordRenewal(subscription: Subscription, payment: string, wasPending: boolean, at: Date): void {
    this.#recordEvent('subscription.renewed', { payment, subscription: subscription.id }, at);
    if (!isRunning(subscription)) return;
    const active: Subscription = { ...subscription, state: 'active', failures: 0 };
    this.#ledger.saveSubscription(
      wasPending ? active : scheduleNextRenewal({ ...active, periods: active.periods + 1 }),
    );
  }

  /** @param wasPending true if the period is already counted. */
  recordFailedRenewal(
    subscription: Subscription,
    payment: string,
    wasPending: boolean,
    at: Date,
  ): void {
    const failures = subscription.failures + 1;
    const delay = RETRY_DELAYS[failures - 1];
    this.#recordEvent(
      'subscription.renewal-failed',
      { payment, subscription: subscription.id },
      at,
    );
    if (!isRunning(subscription)) return;
    const failing: Subscription = {
      ...subscription,
      state: 'retrying',
      failures,
      periods: subscription.periods - Number(wasPending),
    };
    if (delay === undefined) this.cancelSubscription(failing, at);
    else
      this.#ledger.saveSubscription({
        ...failing,
        nextAt: new Date(at.getTime() + delay).toISOString(),
      });
  }

  /** Stops renewals while a dispute is open. */
  suspendSubscription(subscription: Subscription): void {
    if (isRunning(subscription))
      this.#ledger.saveSubscription({ ...subscription, state: 'suspended', nextAt: null });
  }

  /** Resumes renewals with the next period; periods that passed meanwhile are not charged. */
  resumeSubscription(subscription: Subscription, at: Date): void {
    if (subscription.state !== 'suspended') return;
    let resumed = scheduleNextRenewal({ ...subscription, state: 'active', failures: 0 });
    while (resumed.nextAt !== null && resumed.nextAt <= at.toISOString())
      resumed = scheduleNextRenewal({ ...resumed, periods: resumed.periods + 1 });
    this.#ledger.saveSubscription(resumed);
  }

  cancelSubscription(subscription: Subscription, at: Date): Subscription {
    if (subscription.state === 'cancelled') return subscription;
    this.#recordEvent('subscription.cancelled', { subscription: subscription.id }, at);
    return this.#ledger.saveSubscription({ ...subscription, state: 'cancelled', nextAt: null });
  }

  /**
   * Changes the source of future renewals. A failed renewal is retried in the next run of the
   * scheduled tasks.
   */
  changeSource(subscription: Subscription, source: Source, at: Date): void {
    this.#ledger.saveSubscription({
      ...subscription,
      source,
      ...(subscription.state === 'retrying' && { nextAt: at.toISOString() }),
    });
  }
}

function isRunning({ state }: Subscription): boolean {
  return state === 'active' || state === 'retrying';
}

function scheduleNextRenewal(subscription: Subscription): Subscription {
  const { startedAt, frequency, periods } = subscription;
  return {
    ...subscription,
    nextAt:
      startedAt === null
        ? null
        : addPeriods(new Date(startedAt), frequency, periods + 1).toISOString(),
  };
}
