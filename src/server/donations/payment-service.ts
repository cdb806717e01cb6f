import { setTimeout } from 'node:timers/promises';
import type { Action } from '@donation-form/core/schemas';
import type { Logger } from '../lib/logger.ts';
import type { Donation, GiftState } from '../database/schema.ts';
import { NEVER } from '../database/claims.ts';
import { PollingWorker } from '../jobs/polling-worker.ts';
import type { DonationRepository, PaymentColumns } from './donation-repository.ts';
import { paymentIdsOf, toPaymentRequest, type PaymentInput } from './to-payment-request.ts';
import { totalOf } from './total.ts';
import { NotChargedError, type Payment, type PaymentGateway } from '../payments/payment-gateway.ts';
import { describeError } from '../lib/describe-error.ts';

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

export interface PaymentServiceOptions {
  readonly organization: string;
  readonly repository: DonationRepository;
  readonly gatewayOf: (provider: string) => PaymentGateway | undefined;
  /** Called when there is something that the platform should know. */
  readonly onChange: () => void;
  readonly log: Logger;
  readonly now: () => number;
}

/** A gift after a step of its payment. */
export interface PaymentResult {
  readonly donation: Donation;
  /** What the donor has to do, where that was just learned. */
  readonly action?: Action | undefined;
}

/**
 * Takes the money of an organisation's accepted gifts, once for each, and finds out what became of
 * a payment whose answer was lost or comes later.
 */
export class PaymentService {
  readonly #options: PaymentServiceOptions;
  readonly #worker: PollingWorker<Donation>;
  /** One call about a gift's payment at a time. */
  readonly #inProgress = new Map<string, Promise<PaymentResult>>();
  #lookupCount = 0;

  constructor(options: PaymentServiceOptions) {
    const { organization, repository } = options;
    this.#options = options;
    this.#worker = new PollingWorker({
      ...options,
      due: (limit) => repository.listDue(organization, UNDER_WAY, limit),
      nextDue: () => repository.findNextDueTime(organization, UNDER_WAY),
      work: (row) => this.#deduplicate(row, () => this.#retrieveDue(row)),
      claim: repository.isShared ? (row) => repository.claim(row) : undefined,
    });
  }

  /** Looks up the payments that are due, now and from now on. */
  wake(): void {
    void this.#worker.wake();
  }

  /** Looks up the payments that are due, and does not come back. @returns how many. */
  runDue(until: AbortSignal): Promise<number> {
    return this.#worker.drain(until, () => this.#lookupCount);
  }

  /** Ends after the calls that are under way. */
  async stop(): Promise<void> {
    await this.#worker.stop();
    await Promise.allSettled(this.#inProgress.values());
  }

  /**
   * Charges a gift that was just accepted.
   * @returns its row: still charging where the answer was lost.
   */
  charge(row: Donation, given: PaymentInput): Promise<PaymentResult> {
    return this.#deduplicate(row, () => this.#charge(row, given));
  }

  /** Goes on with a gift whose charge was cut off: charges it now where that has not happened. */
  async resume(row: Donation, given: PaymentInput): Promise<PaymentResult> {
    const { repository } = this.#options;
    const own =
      repository.isShared && !this.#inProgress.has(row.reference)
        ? await repository.claim(row)
        : row;
    if (!own) return this.#waitForOtherServer(row);
    return this.#deduplicate(row, () => this.#resume(own, given));
  }

  /** Asks the processor what became of a payment, and tells what the donor has to do. */
  retrieve(row: Donation): Promise<PaymentResult> {
    return this.#deduplicate(row, () => this.#retrieve(row));
  }

  /**
   * Asks so, after whatever call about the payment is going on: something may have happened since
   * that began.
   */
  refresh(row: Donation): Promise<PaymentResult> {
    return this.#runExclusively(row, (now) => this.#retrieve(now));
  }

  /**
   * Ends a payment that waits for the donor.
   * @returns a declined gift, or a charged one where it is too late.
   */
  cancel(row: Donation): Promise<PaymentResult> {
    return this.#runExclusively(row, async (now) =>
      now.state === 'action'
        ? this.#applyPayment(now, await this.#gateway(now).cancel(paymentIdsOf(now)))
        : { donation: now },
    );
  }

  /**
   * Another server may be charging the gift: its answer is waited for until that server would be
   * given up.
   */
  async #waitForOtherServer(row: Donation): Promise<PaymentResult> {
    const { repository, now } = this.#options;
    let latest = row;
    while (latest.state === 'charging' && now() < latest.locked_until) {
      await setTimeout(SHARED_POLL, undefined, { ref: false });
      latest = (await repository.findByReference(row.reference)) ?? latest;
    }
    return { donation: latest };
  }

  async #resume(row: Donation, given: PaymentInput): Promise<PaymentResult> {
    if (row.state !== 'charging') return { donation: row };
    if (row.payment_id === null) return this.#charge(row, given);
    try {
      const payment = await this.#gateway(row).retrieve(paymentIdsOf(row));
      return payment.state === 'open' && given.token !== undefined
        ? await this.#confirm(row, payment, given, false)
        : await this.#applyPayment(row, payment);
    } catch (error) {
      this.#logError(row, error);
      return { donation: row };
    }
  }

  async #charge(row: Donation, given: PaymentInput): Promise<PaymentResult> {
    const { repository } = this.#options;
    const begin = (): Promise<Payment> => this.#gateway(row).create(toPaymentRequest(row, given));
    let payment: Payment;
    try {
      payment = await begin().catch((error: unknown) => {
        if (error instanceof NotChargedError) throw error;
        return begin();
      });
    } catch (error) {
      this.#logError(row, error);
      return { donation: await repository.markNotCharged(row) };
    }
    return payment.state === 'open'
      ? this.#confirm(row, payment, given, true)
      : this.#applyPayment(row, payment);
  }

  /** @param isFirst no earlier call that takes this money may still be on its way. */
  async #confirm(
    before: Donation,
    payment: Payment,
    given: PaymentInput,
    isFirst: boolean,
  ): Promise<PaymentResult> {
    const row = await this.#options.repository.markChargeStarted(
      before.reference,
      namesOf(payment),
    );
    if (row.state !== 'charging') return { donation: row };
    if (row.payment_id !== payment.paymentId)
      throw new Error(
        `the journal did not keep payment ${payment.paymentId} of gift ${row.reference}, so it is not charged`,
      );
    try {
      return await this.#applyPayment(
        row,
        await this.#gateway(row).confirm(payment, toPaymentRequest(row, given)),
      );
    } catch (error) {
      this.#logError(row, error);
      if (error instanceof NotChargedError && isFirst) return this.#cancelPayment(row);
      return this.#applyPayment(
        row,
        await this.#gateway(row)
          .retrieve(payment)
          .catch(() => payment),
      );
    }
  }

  /**
   * Ends a payment that took no money, for good. Where that cannot be done now, it is not known to
   * have ended.
   */
  async #cancelPayment(row: Donation): Promise<PaymentResult> {
    try {
      return await this.#applyPayment(row, await this.#gateway(row).cancel(paymentIdsOf(row)));
    } catch (error) {
      this.#logError(row, error);
      return { donation: await this.#postpone(row, nameOf(error)) };
    }
  }

  #retrieveDue(row: Donation): Promise<PaymentResult> {
    this.#lookupCount += 1;
    return this.#retrieve(row);
  }

  async #retrieve(row: Donation): Promise<PaymentResult> {
    const { repository, now } = this.#options;
    try {
      if (row.payment_id === null && !UNDER_WAY.includes(row.state)) return { donation: row };
      if (row.payment_id === null)
        return {
          donation:
            now() - row.charge_started_at < END_OPEN_AFTER
              ? await this.#postpone(row, 'no payment was opened yet')
              : await repository.markNotCharged(row),
        };
      const gateway = this.#gateway(row);
      const ids = paymentIdsOf(row);
      const payment = await gateway.retrieve(ids);
      if (!UNDER_WAY.includes(row.state)) return { donation: await this.#checkEnded(row, payment) };
      const isOverdue =
        now() - row.charge_started_at >= (payment.state === 'open' ? END_OPEN_AFTER : ACTION_TIME);
      const isUnused = payment.state === 'open' || payment.state === 'action';
      return await this.#applyPayment(
        row,
        isUnused && isOverdue ? await gateway.cancel(ids) : payment,
      );
    } catch (error) {
      this.#logError(row, error);
      return {
        donation: UNDER_WAY.includes(row.state) ? await this.#postpone(row, nameOf(error)) : row,
      };
    }
  }

  /** A gift that was declined, and whose money came all the same, is left to a person, once. */
  async #checkEnded(row: Donation, payment: Payment): Promise<Donation> {
    const { repository, log } = this.#options;
    const { reference } = row;
    const { state, paymentId } = payment;
    if (
      row.state !== 'declined' ||
      !TAKING.includes(state) ||
      (await repository.reviewDecisions.isDecided(reference))
    )
      return row;
    log.error(
      { reference, paymentId, state },
      'the processor has charged a gift that was declined',
    );
    return repository.markNeedsReview(
      row,
      paidBy(payment),
      `the processor charged it after the donor was told that it was declined (${paymentId}): record it, or pay it back`,
    );
  }

  /** Notes what the processor says of a payment. What does not fit the gift is left to a person. */
  async #applyPayment(row: Donation, payment: Payment): Promise<PaymentResult> {
    const { repository, log, onChange: onNews, now } = this.#options;
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
        donation: await repository.markNeedsReview(
          row,
          paid,
          `the processor says ${total} ${currency} (${paymentId})`,
        ),
      };
    }
    switch (state) {
      case 'open':
        return { donation: await this.#postpone(row, 'the payment is still open') };
      case 'action':
        return {
          donation:
            row.state === 'action'
              ? await this.#postpone(row, null)
              : await repository.markRequiresAction(reference, paid, now() + MINUTE),
          action,
        };
      case 'pending':
        return this.#notify(
          row.state === 'pending'
            ? await repository.postpone(row, now() + ASK_PENDING, null)
            : await repository.markProcessing(reference, paid, now() + ASK_PENDING),
        );
      case 'promised':
        return this.#notify(await repository.markProcessing(reference, paid, NEVER));
      case 'declined':
        return { donation: await this.#markFailed(row, 'card-declined') };
      case 'canceled':
        return {
          donation: await this.#markFailed(
            row,
            row.state === 'charging' ? 'not-charged' : 'not-confirmed',
          ),
        };
      case 'succeeded': {
        const settled = await repository.markSucceeded(reference, paid);
        if (settled.state !== 'charged' || settled.payment_id !== paymentId)
          log.error(
            { reference, paymentId, state: settled.state },
            'a charge succeeded of a gift that had ended',
          );
        onNews();
        return { donation: settled };
      }
    }
  }

  async #markFailed(row: Donation, reason: Donation['decline_reason']): Promise<Donation> {
    const declined = await this.#options.repository.markFailed(row.reference, reason);
    if (row.state === 'pending') this.#options.onChange();
    return declined;
  }

  #notify(row: Donation): PaymentResult {
    this.#options.onChange();
    return { donation: row };
  }

  #postpone(row: Donation, error: string | null): Promise<Donation> {
    return this.#options.repository.postpone(
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

  #logError(row: Donation, error: unknown): void {
    this.#options.log.error(
      { reference: row.reference, provider: row.payload.payment.provider, ...describeError(error) },
      'a charge failed',
    );
  }

  /**
   * Waits for the call about this gift's payment that is going on, and takes the row as it is then.
   */
  async #runExclusively(
    row: Donation,
    work: (now: Donation) => Promise<PaymentResult>,
  ): Promise<PaymentResult> {
    while (this.#inProgress.has(row.reference))
      await this.#inProgress.get(row.reference)?.catch(() => undefined);
    return this.#deduplicate(row, async () =>
      work((await this.#options.repository.findByReference(row.reference)) ?? row),
    );
  }

  /** Joins the call about this gift's payment that is going on, if one is. */
  #deduplicate(
    { reference }: Donation,
    work: () => Promise<PaymentResult>,
  ): Promise<PaymentResult> {
    const before = this.#inProgress.get(reference);
    if (before) return before;
    const now = work().finally(() => this.#inProgress.delete(reference));
    this.#inProgress.set(reference, now);
    return now;
  }
}

function namesOf({ paymentId, subscriptionId }: Payment): Omit<PaymentColumns, 'payment_method'> {
  return { payment_id: paymentId, subscription_id: subscriptionId ?? null };
}

/** What the journal keeps of a payment that came to something. */
function paidBy(payment: Payment): PaymentColumns {
  return { ...namesOf(payment), payment_method: payment.method ?? null };
}

function nameOf(error: unknown): string {
  return describeError(error).error;
}
