import type { Tell } from './events.ts';
import { newId } from './ids.ts';
import type { Ledger } from './ledger.ts';
import { afterPeriods } from './periods.ts';
import type { PaymentTerms, Source, Subscription } from './records.ts';

export interface SubscriptionsOptions {
  readonly ledger: Ledger;
  readonly tell: Tell;
}

const DAY = 86_400_000;
/** How long after a failure a renewal is tried again. */
const RETRIES = [3 * DAY, 5 * DAY, 7 * DAY];

/** What may happen to a subscription. Each of these is a part of a change that the caller makes. */
export class Subscriptions {
  readonly #ledger: Ledger;
  readonly #tell: Tell;

  constructor({ ledger, tell }: SubscriptionsOptions) {
    this.#ledger = ledger;
    this.#tell = tell;
  }

  open({ frequency, reference, email }: PaymentTerms): Subscription {
    return this.#ledger.keepSubscription({
      id: newId('sub'),
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

  /** The first payment succeeded. */
  start(subscription: Subscription, source: Source | null, at: Date): void {
    if (subscription.state !== 'inactive') return;
    this.#ledger.keepSubscription(
      scheduled({ ...subscription, state: 'active', source, startedAt: at.toISOString() }),
    );
  }

  /** A renewal is under way; whether it succeeds shows later. */
  renewing(subscription: Subscription): void {
    this.#ledger.keepSubscription(
      scheduled({ ...subscription, periods: subscription.periods + 1 }),
    );
  }

  /** @param wasUnderWay whether its period is counted already. */
  renewed(subscription: Subscription, payment: string, wasUnderWay: boolean, at: Date): void {
    this.#tell('subscription.renewed', { payment, subscription: subscription.id }, at);
    if (!isRunning(subscription)) return;
    const active: Subscription = { ...subscription, state: 'active', failures: 0 };
    this.#ledger.keepSubscription(
      wasUnderWay ? active : scheduled({ ...active, periods: active.periods + 1 }),
    );
  }

  /** @param wasUnderWay whether its period is counted already. */
  renewalFailed(subscription: Subscription, payment: string, wasUnderWay: boolean, at: Date): void {
    const failures = subscription.failures + 1;
    const wait = RETRIES[failures - 1];
    this.#tell('subscription.renewal-failed', { payment, subscription: subscription.id }, at);
    if (!isRunning(subscription)) return;
    const failing: Subscription = {
      ...subscription,
      state: 'retrying',
      failures,
      periods: subscription.periods - Number(wasUnderWay),
    };
    if (wait === undefined) this.end(failing, at);
    else
      this.#ledger.keepSubscription({
        ...failing,
        nextAt: new Date(at.getTime() + wait).toISOString(),
      });
  }

  /** No renewal is taken while a dispute is open. */
  suspend(subscription: Subscription): void {
    if (isRunning(subscription))
      this.#ledger.keepSubscription({ ...subscription, state: 'suspended', nextAt: null });
  }

  /** Goes on with the next period; those that passed meanwhile are not taken. */
  resume(subscription: Subscription, at: Date): void {
    if (subscription.state !== 'suspended') return;
    let resumed = scheduled({ ...subscription, state: 'active', failures: 0 });
    while (resumed.nextAt !== null && resumed.nextAt <= at.toISOString())
      resumed = scheduled({ ...resumed, periods: resumed.periods + 1 });
    this.#ledger.keepSubscription(resumed);
  }

  end(subscription: Subscription, at: Date): Subscription {
    if (subscription.state === 'cancelled') return subscription;
    this.#tell('subscription.cancelled', { subscription: subscription.id }, at);
    return this.#ledger.keepSubscription({ ...subscription, state: 'cancelled', nextAt: null });
  }

  /**
   * Renewals are taken from another card from now on; one that failed is tried again with the next
   * look at what is due.
   */
  changeSource(subscription: Subscription, source: Source, at: Date): void {
    this.#ledger.keepSubscription({
      ...subscription,
      source,
      ...(subscription.state === 'retrying' && { nextAt: at.toISOString() }),
    });
  }
}

function isRunning({ state }: Subscription): boolean {
  return state === 'active' || state === 'retrying';
}

function scheduled(subscription: Subscription): Subscription {
  const { startedAt, frequency, periods } = subscription;
  return {
    ...subscription,
    nextAt:
      startedAt === null
        ? null
        : afterPeriods(new Date(startedAt), frequency, periods + 1).toISOString(),
  };
}
