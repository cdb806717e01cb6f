import { setTimeout } from 'node:timers/promises';
import type { Action } from '@donation-form/core/schemas';
import type { Logger } from '../lib/logger.ts';
import type { Donation, GiftState } from '../database/schema.ts';
import { NEVER } from '../database/claims.ts';
import { DueLoop } from '../jobs/polling-worker.ts';
import type { Journal, Paid } from './donation-repository.ts';
import { paymentIdsOf, toPaymentRequest, type PaymentInput } from './to-payment-request.ts';
import { totalOf } from './total.ts';
import { NotChargedError, type Payment, type PaymentGateway } from '../payments/payment-gateway.ts';
import { aboutError } from '../lib/describe-error.ts';

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;

/**
 * How long after a charge began a payment that is still open is ended: longer than a call that
 * takes the money may last.
 */
const END_OPEN_AFTER = MINUTE;
/** How long a donor has for what the processor or the bank asks for. */
const ACTION_TIME = HOUR;
/** How often the processor is asked about money that comes later, beside its webhooks. */
const ASK_PENDING = 12 * HOUR;

/** How often the journal is asked what another server has come to. */
const SHARED_POLL = 200;

/** The states of a payment that takes money, now or later. */
const TAKING: readonly Payment['state'][] = ['pending', 'promised', 'succeeded'];

const UNDER_WAY: readonly GiftState[] = ['charging', 'action', 'pending'];

export interface ChargingOptions {
  readonly organization: string;
  readonly journal: Journal;
  readonly gatewayOf: (provider: string) => PaymentGateway | undefined;
  /** Called when there is something that the platform should know. */
  readonly onNews: () => void;
  readonly log: Logger;
  readonly now: () => number;
}

/** A gift after a step of its payment. */
export interface Step {
  readonly row: Donation;
  /** What the donor has to do, where that was just learned. */
  readonly action?: Action | undefined;
}

/**
 * Takes the money of an organisation's accepted gifts, once for each, and finds out what became of
 * a payment whose answer was lost or comes later.
 */
export class Charging {
  readonly #options: ChargingOptions;
  readonly #loop: DueLoop<Donation>;
  /** One call about a gift's payment at a time. */
  readonly #underWay = new Map<string, Promise<Step>>();
  #lookedUp = 0;

  constructor(options: ChargingOptions) {
    const { organization, journal } = options;
    this.#options = options;
    this.#loop = new DueLoop({
      ...options,
      due: (limit) => journal.due(organization, UNDER_WAY, limit),
      nextDue: () => journal.nextDue(organization, UNDER_WAY),
      work: (row) => this.#alone(row, () => this.#lookUpDue(row)),
      claim: journal.isShared ? (row) => journal.claim(row) : undefined,
    });
  }

  /** Looks up the payments that are due, now and from now on. */
  wake(): void {
    void this.#loop.wake();
  }

  /** Looks up the payments that are due, and does not come back. @returns how many. */
  drain(until: AbortSignal): Promise<number> {
    return this.#loop.drain(until, () => this.#lookedUp);
  }

  /** Ends after the calls that are under way. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    await Promise.allSettled(this.#underWay.values());
  }

  /**
   * Charges a gift that was just accepted.
   * @returns its row: still charging where the answer was lost.
   */
  charge(row: Donation, given: PaymentInput): Promise<Step> {
    return this.#alone(row, () => this.#charge(row, given));
  }

  /** Goes on with a gift whose charge was cut off: charges it now where that has not happened. */
  async resume(row: Donation, given: PaymentInput): Promise<Step> {
    const { journal } = this.#options;
    const own =
      journal.isShared && !this.#underWay.has(row.reference) ? await journal.claim(row) : row;
    if (!own) return this.#awaitOther(row);
    return this.#alone(row, () => this.#goOn(own, given));
  }

  /** Asks the processor what became of a payment, and tells what the donor has to do. */
  ask(row: Donation): Promise<Step> {
    return this.#alone(row, () => this.#lookUp(row));
  }

  /**
   * Asks so, after whatever call about the payment is going on: something may have happened since
   * that began.
   */
  askAnew(row: Donation): Promise<Step> {
    return this.#afterOthers(row, (now) => this.#lookUp(now));
  }

  /**
   * Ends a payment that waits for the donor.
   * @returns a declined gift, or a charged one where it is too late.
   */
  cancel(row: Donation): Promise<Step> {
    return this.#afterOthers(row, async (now) =>
      now.state === 'action'
        ? this.#settle(now, await this.#gateway(now).cancel(paymentIdsOf(now)))
        : { row: now },
    );
  }

  /**
   * Another server may be charging the gift: its answer is waited for until that server would be
   * given up.
   */
  async #awaitOther(row: Donation): Promise<Step> {
    const { journal, now } = this.#options;
    let latest = row;
    while (latest.state === 'charging' && now() < latest.claimed_until) {
      await setTimeout(SHARED_POLL, undefined, { ref: false });
      latest = (await journal.byReference(row.reference)) ?? latest;
    }
    return { row: latest };
  }

  async #goOn(row: Donation, given: PaymentInput): Promise<Step> {
    if (row.state !== 'charging') return { row };
    if (row.payment_id === null) return this.#charge(row, given);
    try {
      const payment = await this.#gateway(row).status(paymentIdsOf(row));
      return payment.state === 'open' && given.token !== undefined
        ? await this.#confirm(row, payment, given, false)
        : await this.#settle(row, payment);
    } catch (error) {
      this.#complain(row, error);
      return { row };
    }
  }

  async #charge(row: Donation, given: PaymentInput): Promise<Step> {
    const { journal } = this.#options;
    const begin = (): Promise<Payment> => this.#gateway(row).begin(toPaymentRequest(row, given));
    let payment: Payment;
    try {
      payment = await begin().catch((error: unknown) => {
        if (error instanceof NotChargedError) throw error;
        return begin();
      });
    } catch (error) {
      this.#complain(row, error);
      return { row: await journal.notCharged(row) };
    }
    return payment.state === 'open'
      ? this.#confirm(row, payment, given, true)
      : this.#settle(row, payment);
  }

  /** @param isFirst no earlier call that takes this money may still be on its way. */
  async #confirm(
    before: Donation,
    payment: Payment,
    given: PaymentInput,
    isFirst: boolean,
  ): Promise<Step> {
    const row = await this.#options.journal.chargeBegins(before.reference, namesOf(payment));
    if (row.state !== 'charging') return { row };
    if (row.payment_id !== payment.paymentId)
      throw new Error(
        `the journal did not keep payment ${payment.paymentId} of gift ${row.reference}, so it is not charged`,
      );
    try {
      return await this.#settle(
        row,
        await this.#gateway(row).confirm(payment, toPaymentRequest(row, given)),
      );
    } catch (error) {
      this.#complain(row, error);
      if (error instanceof NotChargedError && isFirst) return this.#end(row);
      return this.#settle(
        row,
        await this.#gateway(row)
          .status(payment)
          .catch(() => payment),
      );
    }
  }

  /**
   * Ends a payment that took no money, for good. Where that cannot be done now, it is not known to
   * have ended.
   */
  async #end(row: Donation): Promise<Step> {
    try {
      return await this.#settle(row, await this.#gateway(row).cancel(paymentIdsOf(row)));
    } catch (error) {
      this.#complain(row, error);
      return { row: await this.#later(row, nameOf(error)) };
    }
  }

  #lookUpDue(row: Donation): Promise<Step> {
    this.#lookedUp += 1;
    return this.#lookUp(row);
  }

  async #lookUp(row: Donation): Promise<Step> {
    const { journal, now } = this.#options;
    try {
      if (row.payment_id === null && !UNDER_WAY.includes(row.state)) return { row };
      if (row.payment_id === null)
        return {
          row:
            now() - row.charge_began_at < END_OPEN_AFTER
              ? await this.#later(row, 'no payment was opened yet')
              : await journal.notCharged(row),
        };
      const gateway = this.#gateway(row);
      const ids = paymentIdsOf(row);
      const payment = await gateway.status(ids);
      if (!UNDER_WAY.includes(row.state)) return { row: await this.#checkEnded(row, payment) };
      const isOverdue =
        now() - row.charge_began_at >= (payment.state === 'open' ? END_OPEN_AFTER : ACTION_TIME);
      const isUnused = payment.state === 'open' || payment.state === 'action';
      return await this.#settle(row, isUnused && isOverdue ? await gateway.cancel(ids) : payment);
    } catch (error) {
      this.#complain(row, error);
      return { row: UNDER_WAY.includes(row.state) ? await this.#later(row, nameOf(error)) : row };
    }
  }

  /** A gift that was declined, and whose money came all the same, is left to a person, once. */
  async #checkEnded(row: Donation, payment: Payment): Promise<Donation> {
    const { journal, log } = this.#options;
    const { reference } = row;
    const { state, paymentId } = payment;
    if (
      row.state !== 'declined' ||
      !TAKING.includes(state) ||
      (await journal.resolutions.isDecided(reference))
    )
      return row;
    log.error(
      { reference, paymentId, state },
      'the processor has charged a gift that was declined',
    );
    return journal.held(
      row,
      paidBy(payment),
      `the processor charged it after the donor was told that it was declined (${paymentId}): record it, or pay it back`,
    );
  }

  /** Notes what the processor says of a payment. What does not fit the gift is left to a person. */
  async #settle(row: Donation, payment: Payment): Promise<Step> {
    const { journal, log, onNews, now } = this.#options;
    const { reference } = row;
    const { state, paymentId, total, currency, action } = payment;
    const expected = totalOf(row);
    const paid = paidBy(payment);
    if (TAKING.includes(state) && (total !== expected.total || currency !== expected.currency)) {
      log.error(
        { reference, paymentId, total, currency },
        'the processor charged another amount or currency than the gift',
      );
      return {
        row: await journal.held(
          row,
          paid,
          `the processor says ${total} ${currency} (${paymentId})`,
        ),
      };
    }
    switch (state) {
      case 'open':
        return { row: await this.#later(row, 'the payment is still open') };
      case 'action':
        return {
          row:
            row.state === 'action'
              ? await this.#later(row, null)
              : await journal.awaitsAction(reference, paid, now() + MINUTE),
          action,
        };
      case 'pending':
        return this.#tell(
          row.state === 'pending'
            ? await journal.postponed(row, now() + ASK_PENDING, null)
            : await journal.pending(reference, paid, now() + ASK_PENDING),
        );
      case 'promised':
        return this.#tell(await journal.pending(reference, paid, NEVER));
      case 'declined':
        return { row: await this.#declined(row, 'card-declined') };
      case 'canceled':
        return {
          row: await this.#declined(
            row,
            row.state === 'charging' ? 'not-charged' : 'not-confirmed',
          ),
        };
      case 'succeeded': {
        const settled = await journal.charged(reference, paid);
        if (settled.state !== 'charged' || settled.payment_id !== paymentId)
          log.error(
            { reference, paymentId, state: settled.state },
            'a charge succeeded of a gift that had ended',
          );
        onNews();
        return { row: settled };
      }
    }
  }

  async #declined(row: Donation, reason: Donation['decline_reason']): Promise<Donation> {
    const declined = await this.#options.journal.declined(row.reference, reason);
    if (row.state === 'pending') this.#options.onNews();
    return declined;
  }

  #tell(row: Donation): Step {
    this.#options.onNews();
    return { row };
  }

  #later(row: Donation, error: string | null): Promise<Donation> {
    return this.#options.journal.postponed(
      row,
      this.#options.now() + Math.min(5 * SECOND * 2 ** row.attempts, 5 * MINUTE),
      error,
    );
  }

  #gateway(row: Donation): PaymentGateway {
    const provider = row.payload.payment.provider;
    const gateway = this.#options.gatewayOf(provider);
    if (!gateway)
      throw new Error(
        `the configuration has no payment provider ${provider} any more, and gift ${row.reference} was begun with it`,
      );
    return gateway;
  }

  #complain(row: Donation, error: unknown): void {
    this.#options.log.error(
      { reference: row.reference, provider: row.payload.payment.provider, ...aboutError(error) },
      'a charge failed',
    );
  }

  /**
   * Waits for the call about this gift's payment that is going on, and takes the row as it is then.
   */
  async #afterOthers(row: Donation, work: (now: Donation) => Promise<Step>): Promise<Step> {
    while (this.#underWay.has(row.reference))
      await this.#underWay.get(row.reference)?.catch(() => undefined);
    return this.#alone(row, async () =>
      work((await this.#options.journal.byReference(row.reference)) ?? row),
    );
  }

  /** Joins the call about this gift's payment that is going on, if one is. */
  #alone({ reference }: Donation, work: () => Promise<Step>): Promise<Step> {
    const before = this.#underWay.get(reference);
    if (before) return before;
    const now = work().finally(() => this.#underWay.delete(reference));
    this.#underWay.set(reference, now);
    return now;
  }
}

function namesOf({ paymentId, subscriptionId }: Payment): Omit<Paid, 'payment_method'> {
  return { payment_id: paymentId, subscription_id: subscriptionId ?? null };
}

/** What the journal keeps of a payment that came to something. */
function paidBy(payment: Payment): Paid {
  return { ...namesOf(payment), payment_method: payment.method ?? null };
}

function nameOf(error: unknown): string {
  return aboutError(error).error;
}
