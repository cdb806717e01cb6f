import { setTimeout } from 'node:timers/promises';
import { toMajorUnits } from '@donation-form/core/money';
import type { PaymentAction } from '@donation-form/core/schemas';
import type { Logger } from '../lib/logger.ts';
import { isDatabaseError } from '../database/database-error.ts';
import type { Donation } from '../database/schema.ts';
import { PollingWorker } from '../jobs/polling-worker.ts';
import type { DonationRepository, PaymentColumns } from './donation-repository.ts';
import { getPaymentIds, toPaymentRequest, type PaymentInput } from './to-payment-request.ts';
import { getDonationTotal } from './total.ts';
import { getProviderDecimals } from '../payments/payment-providers.ts';
import {
  InvalidPaymentError,
  NotChargedError,
  type Payment,
  type PaymentGateway,
  type PaymentIds,
} from '../payments/payment-gateway.ts';
import { describeError } from '../lib/describe-error.ts';
import { Problem } from '../lib/problem.ts';
import {
  decideAfterCheck,
  decideAfterFailedCharge,
  decideCheck,
  getUnclearChargeDeadline,
  IN_PROGRESS,
  interpretPayment,
  isCharged,
} from './payment-decisions.ts';
import type { DonationEvent } from './transition.ts';

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;

/**
 * Delay before the server checks an approved payment with an unfinished charge, in milliseconds.
 */
const CHARGE_CHECK_DELAY = 20 * SECOND;
/**
 * Interval between checks of processing payments, in milliseconds. Webhooks can report changes
 * sooner.
 */
const PROCESSING_POLL_INTERVAL = 12 * HOUR;

/**
 * Duration of a lock for a check that only looks a charge up, in milliseconds. Two servers may do
 * that at the same time. If a server is killed during the check, a person sees an uncertain donation
 * sooner than after a full lock.
 */
const LOOKUP_LOCK_DURATION = 20 * SECOND;

/**
 * Interval at which this server polls the database for another server's result, in milliseconds.
 */
const LOCK_POLL_INTERVAL = 200;

/** Reasons why the result of a charge is still unknown after the deadline. */
const NOT_FOUND = 'the search did not find the gift';
const SEARCH_FAILED = 'the last search failed, so it is unknown whether the donor was charged';

export interface PaymentServiceOptions {
  readonly organization: string;
  readonly repository: DonationRepository;
  readonly findGateway: (provider: string) => PaymentGateway | undefined;
  /** Called after a change that must be reported to the platform. */
  readonly onChange: () => void;
  readonly log: Logger;
  readonly now: () => number;
}

/** Result of a payment operation. */
export interface PaymentResult {
  readonly donation: Donation;
  /** Action that the donor must take. Set only directly after a call to the provider. */
  readonly action?: PaymentAction | undefined;
}

/**
 * Charges each of an organization's donations once. Also retrieves the outcome if a payment settles
 * later or the provider's response is lost.
 */
export class PaymentService {
  readonly #options: PaymentServiceOptions;
  readonly #worker: PollingWorker<Donation>;
  /**
   * Payment operations in progress, keyed by reference. Each donation has at most one operation.
   */
  readonly #inProgress = new Map<string, Promise<PaymentResult>>();
  #lookupCount = 0;

  constructor(options: PaymentServiceOptions) {
    const { organization, repository } = options;
    this.#options = options;
    this.#worker = new PollingWorker({
      ...options,
      listDue: (limit) => repository.listDueForPaymentCheck(organization, IN_PROGRESS, limit),
      findNextDueTime: () => repository.findNextPaymentCheckTime(organization, IN_PROGRESS),
      handle: (row) => this.#joinOrStartOperation(row, () => this.#syncDueDonation(row)),
      claim: repository.isShared ? (row) => this.#claimDonation(row) : undefined,
    });
  }

  /** Checks due payments, now and whenever payments become due. */
  wakeWorker(): void {
    void this.#worker.wake();
  }

  /** Checks due payments. @returns the number of payments checked. */
  checkDuePayments(stop: AbortSignal): Promise<number> {
    return this.#worker.handleDueRows(stop, () => this.#lookupCount);
  }

  /** Stops the worker and waits for calls in progress. */
  async stopWorker(): Promise<void> {
    await this.#worker.stop();
    await Promise.allSettled(this.#inProgress.values());
  }

  /**
   * Charges a new donation. If the provider's response is lost, the donation remains
   * `unconfirmed`.
   */
  chargeDonation(row: Donation, input: PaymentInput): Promise<PaymentResult> {
    return this.#joinOrStartOperation(row, () => this.#createAndChargePayment(row, input));
  }

  /** Resumes an interrupted charge. Charges the donation if it has not been charged yet. */
  async resumeCharge(row: Donation, input: PaymentInput): Promise<PaymentResult> {
    const { repository } = this.#options;
    const claimed =
      repository.isShared && !this.#inProgress.has(row.reference)
        ? await this.#claimDonation(row)
        : row;
    if (!claimed) return this.#waitForOtherServer(row);
    return this.#joinOrStartOperation(row, () => this.#continueCharge(claimed, input));
  }

  /**
   * Updates a donation to match the provider's record of its payment. Cancels an overdue payment.
   * If an operation on the donation is already in progress, returns that operation's result
   * instead.
   */
  syncDonation(row: Donation): Promise<PaymentResult> {
    return this.#joinOrStartOperation(row, () =>
      this.#syncOrCancelOverdue(row, this.#postponeIfDue),
    );
  }

  /**
   * Works like {@link syncDonation}, but first waits for any operation in progress, because that
   * operation may use older data.
   */
  waitAndSyncDonation(row: Donation): Promise<PaymentResult> {
    return this.#runAfterCurrentOperation(row, (current) =>
      this.#syncOrCancelOverdue(current, this.#postponeIfDue),
    );
  }

  /**
   * Cancels a payment that is waiting for the donor.
   * @returns the failed donation, or the charged donation if it is too late to cancel.
   */
  cancelPaymentIfActionRequired(row: Donation): Promise<PaymentResult> {
    return this.#runAfterCurrentOperation(row, async (current) =>
      current.status === 'requires_action'
        ? this.#updateDonationFromPayment(
            current,
            await this.#getGateway(current)
              .cancelPayment(getPaymentIds(current))
              .catch((cause: unknown) => {
                throw new Problem(
                  'unavailable',
                  'The payment provider did not confirm that the payment was canceled. Try again later.',
                  { cause },
                );
              }),
          )
        : { donation: current },
    );
  }

  /**
   * Waits until another server has finished charging the donation or that server's lock expires.
   */
  async #waitForOtherServer(row: Donation): Promise<PaymentResult> {
    const { repository, now } = this.#options;
    let latest = row;
    while (latest.status === 'unconfirmed' && now() < latest.lockedUntil) {
      await setTimeout(LOCK_POLL_INTERVAL, undefined, { ref: false });
      latest = (await repository.findByReference(row.reference)) ?? latest;
    }
    return { donation: latest };
  }

  async #continueCharge(row: Donation, input: PaymentInput): Promise<PaymentResult> {
    if (row.status !== 'unconfirmed') return { donation: row };
    if (row.paymentId === null) return this.#createAndChargePayment(row, input);
    let payment: Payment;
    try {
      payment = await this.#retrievePayment(row, getPaymentIds(row));
    } catch (error) {
      this.#logPaymentError(row, error);
      return { donation: row };
    }
    const canCharge = input.token !== undefined && !this.#chargesInOneCall(row);
    return payment.status === 'unconfirmed' && canCharge
      ? this.#saveAndChargePayment(row, payment, input, false)
      : this.#updateDonationFromPayment(row, payment);
  }

  async #createAndChargePayment(row: Donation, input: PaymentInput): Promise<PaymentResult> {
    const { repository } = this.#options;
    const createPayment = (): Promise<Payment> =>
      this.#getGateway(row).createPayment(toPaymentRequest(row, input));
    let payment: Payment;
    try {
      payment = await createPayment().catch((error: unknown) => {
        if (error instanceof NotChargedError) throw error;
        return createPayment();
      });
      await this.#assertPaymentIsNew(row, payment);
    } catch (error) {
      if (isDatabaseError(error)) throw error;
      this.#logPaymentError(row, error);
      const reason = error instanceof NotChargedError ? error.reason : undefined;
      return { donation: await repository.markFailedUnlessCharged(row, reason) };
    }
    return payment.status === 'unconfirmed'
      ? this.#saveAndChargePayment(row, payment, input, true)
      : this.#updateDonationFromPayment(row, payment);
  }

  /** @throws {InvalidPaymentError} if another donation has the payment. */
  async #assertPaymentIsNew({ reference }: Donation, { paymentId }: Payment): Promise<void> {
    const { repository, organization } = this.#options;
    const found = await repository.findByPayment(organization, paymentId);
    if (found && found.reference !== reference)
      throw new InvalidPaymentError(
        `the payment provider returned payment ${paymentId} for donation ${reference}, but the ` +
          `payment belongs to ${found.reference}. Expected a new payment for each reference`,
      );
  }

  /**
   * Saves the payment's IDs, and then charges the payment.
   * @param isFirst true if no earlier call to charge the payment can still be in progress.
   */
  async #saveAndChargePayment(
    donation: Donation,
    payment: Payment,
    input: PaymentInput,
    isFirst: boolean,
  ): Promise<PaymentResult> {
    const row = await this.#options.repository.markChargeStarted(
      donation,
      toPaymentIdColumns(payment),
    );
    if (row.status !== 'unconfirmed') return { donation: row };
    if (row.paymentId !== payment.paymentId)
      throw new Error(
        `payment ${payment.paymentId} for donation ${row.reference} was not saved, ` +
          'so the donor was not charged',
      );
    let latest: Payment;
    try {
      latest = await this.#getGateway(row).chargePayment(payment, toPaymentRequest(row, input));
    } catch (error) {
      this.#logPaymentError(row, error);
      const next = decideAfterFailedCharge({
        isNotCharged: error instanceof NotChargedError,
        isFirst,
        chargesInOneCall: this.#chargesInOneCall(row),
      });
      if (next === 'fail') return { donation: await this.#markFailed(row, 'payment-failed') };
      if (next === 'cancel')
        return this.#cancelPaymentOrPostpone(row, (error as NotChargedError).isTokenUnusable);
      latest = await this.#retrievePayment(row, payment).catch(() => payment);
    }
    return this.#updateDonationFromPayment(row, latest);
  }

  /**
   * Cancels a payment that has not been charged. If the cancellation fails, schedules another
   * check.
   * @param isTokenUnusable true if the token is unknown or already used, which counts as a decline.
   */
  async #cancelPaymentOrPostpone(row: Donation, isTokenUnusable: boolean): Promise<PaymentResult> {
    let payment: Payment;
    try {
      payment = await this.#getGateway(row).cancelPayment(getPaymentIds(row));
    } catch (error) {
      this.#logPaymentError(row, error);
      return { donation: await this.#postpone(row, getErrorName(error)) };
    }
    return this.#updateDonationFromPayment(
      row,
      isTokenUnusable ? { ...payment, reason: 'card-declined' } : payment,
    );
  }

  #syncDueDonation(row: Donation): Promise<PaymentResult> {
    this.#lookupCount += 1;
    return this.#syncOrCancelOverdue(row);
  }

  async #syncOrCancelOverdue(row: Donation, postpone = this.#postpone): Promise<PaymentResult> {
    const { repository, now } = this.#options;
    const check = decideCheck(row, now());
    if (check === 'none') return { donation: row };
    if (check === 'postpone')
      return { donation: await postpone(row, 'no payment has been created yet') };
    if (check === 'fail') return { donation: await repository.markFailedUnlessCharged(row) };
    let payment: Payment;
    let next: ReturnType<typeof decideAfterCheck>;
    try {
      const gateway = this.#getGateway(row);
      const ids = getPaymentIds(row);
      payment = await this.#retrievePayment(row, ids);
      next = decideAfterCheck(row, payment, {
        now: now(),
        chargesInOneCall: this.#chargesInOneCall(row),
      });
      if (next === 'cancel') payment = await gateway.cancelPayment(ids);
    } catch (error) {
      this.#logPaymentError(row, error);
      if (this.#isChargeUnclear(row))
        return { donation: await this.#markChargeUnclear(row, SEARCH_FAILED) };
      return {
        donation: IN_PROGRESS.includes(row.status) ? await postpone(row, getErrorName(error)) : row,
      };
    }
    if (next === 'none') return { donation: row };
    if (next === 'review')
      return { donation: await this.#markForReviewUnlessDecided(row, payment) };
    return this.#updateDonationFromPayment(row, payment, postpone);
  }

  /** Locks a donation for this server, if no other server has locked it. */
  #claimDonation(row: Donation): Promise<Donation | undefined> {
    const isLookupOnly = row.paymentId !== null && this.#chargesInOneCall(row);
    return this.#options.repository.claimForPaymentCheck(
      row,
      isLookupOnly ? LOOKUP_LOCK_DURATION : undefined,
    );
  }

  #chargesInOneCall({ payload }: Donation): boolean {
    return this.#options.findGateway(payload.payment.provider)?.chargesInOneCall === true;
  }

  /** Returns true if the deadline for an unknown charge result has passed. */
  #isChargeUnclear(row: Donation): boolean {
    return this.#options.now() >= this.#getUnclearChargeDeadline(row);
  }

  #getUnclearChargeDeadline(row: Donation): number {
    return getUnclearChargeDeadline(row, this.#chargesInOneCall(row));
  }

  #markChargeUnclear(row: Donation, reason: string): Promise<Donation> {
    const { repository, log } = this.#options;
    const { reference, paymentId, subscriptionId, paymentMethod } = row;
    log.error({ reference, paymentId }, 'charge result unknown: donation needs review');
    return repository.markNeedsReview(
      row,
      { paymentId, subscriptionId, paymentMethod },
      `the response to the charge was lost, and ${reason}; ` +
        'search the platform for the reference, donor, and amount',
    );
  }

  /**
   * Marks a failed donation for review because the provider has charged it. Does nothing if a
   * person has already decided about the payment.
   */
  async #markForReviewUnlessDecided(row: Donation, payment: Payment): Promise<Donation> {
    const { repository, log } = this.#options;
    const { reference } = row;
    const { status, paymentId } = payment;
    if (await repository.reviewDecisions.hasPaymentDecision(reference)) return row;
    log.error(
      { reference, paymentId, status },
      'the payment provider charged a donation already marked as failed',
    );
    return repository.markNeedsReview(
      row,
      toPaymentColumns(payment),
      `payment ${paymentId} succeeded after the donation was marked as failed; accept or ` +
        'refund it',
    );
  }

  /**
   * Updates the donation to match its payment. If the provider charged a different amount or
   * currency, marks the donation for review.
   */
  async #updateDonationFromPayment(
    row: Donation,
    payment: Payment,
    postpone = this.#postpone,
  ): Promise<PaymentResult> {
    const expected = getDonationTotal(row);
    const isAsAgreed = payment.total === expected.total && payment.currency === expected.currency;
    const decision = interpretPayment(row, payment, isAsAgreed);
    const isContradiction = !isAsAgreed && (isCharged(payment) || payment.status === 'approved');
    if (isContradiction && decision.type !== 'postpone') this.#logContradiction(row, payment);
    switch (decision.type) {
      case 'charge':
        return this.#chargeApprovedPayment(row, payment);
      case 'postpone':
        return this.#postponeUntilNextReport(row, payment, postpone);
      case 'apply':
        return this.#applyPaymentEvent(row, payment, decision.event);
    }
  }

  #logContradiction({ reference }: Donation, payment: Payment): void {
    const { paymentId, total, currency } = payment;
    this.#options.log.error(
      { reference, paymentId, total, currency },
      isCharged(payment)
        ? 'the payment provider charged a different amount or currency'
        : 'the donor approved a different amount or currency, so nothing was charged',
    );
  }

  /** Schedules the next check of a payment that has not changed. */
  async #postponeUntilNextReport(
    row: Donation,
    { status, action }: Payment,
    postpone: (row: Donation, error: string | null) => Promise<Donation>,
  ): Promise<PaymentResult> {
    if (row.status === 'processing') {
      const { repository } = this.#options;
      return { donation: await repository.postponePaymentCheck(row, this.#getNextPoll(), null) };
    }
    if (status === 'unconfirmed' && this.#isChargeUnclear(row))
      return { donation: await this.#markChargeUnclear(row, NOT_FOUND) };
    const error = status === 'unconfirmed' ? 'the payment is not confirmed yet' : null;
    return { donation: await postpone(row, error), action };
  }

  /** Returns the time of the next check of a processing payment. */
  #getNextPoll(): number {
    return this.#options.now() + PROCESSING_POLL_INTERVAL;
  }

  async #applyPaymentEvent(
    row: Donation,
    payment: Payment,
    event: DonationEvent,
  ): Promise<PaymentResult> {
    const { repository, log, onChange, now } = this.#options;
    const { paymentId, action } = payment;
    const columns = toPaymentColumns(payment);
    switch (event.type) {
      case 'contradicted': {
        const error =
          `the payment provider charged ${describeAmount(row, payment)} (${paymentId}) instead of ` +
          `the agreed ${describeAmount(row, getDonationTotal(row))}`;
        return { donation: await repository.markNeedsReview(row, columns, error) };
      }
      case 'action_required': {
        const dueAt = now() + MINUTE;
        return { donation: await repository.markRequiresAction(row, columns, dueAt), action };
      }
      case 'accepted': {
        const donation = await repository.markProcessing(row, columns, this.#getNextPoll());
        onChange();
        return { donation };
      }
      case 'failed':
        return { donation: await this.#markFailed(row, event.reason) };
      case 'succeeded': {
        const donation = await repository.markSucceeded(row, columns);
        if (donation.status !== 'succeeded' || donation.paymentId !== paymentId)
          log.error(
            { reference: row.reference, paymentId, status: donation.status },
            'charge succeeded, but the donation has a different status or payment; ' +
              'check the payment with the payment provider',
          );
        onChange();
        return { donation };
      }
      default:
        throw new Error(`a payment cannot cause the ${event.type} event`);
    }
  }

  /**
   * Charges a payment that the donor approved on the provider's page. The donor, a webhook, and the
   * worker can all trigger the charge, but the provider charges only once. If the provider rejects
   * the charge, this server marks the donation as failed only if no other server has begun to
   * charge it.
   */
  async #chargeApprovedPayment(row: Donation, payment: Payment): Promise<PaymentResult> {
    const { repository, now } = this.#options;
    const { donation: approved, isFirst } = await repository.markApproved(
      row,
      toPaymentIdColumns(payment),
      now() + CHARGE_CHECK_DELAY,
    );
    if (approved.status !== 'unconfirmed' || approved.paymentId !== payment.paymentId)
      return { donation: approved };
    const gateway = this.#getGateway(approved);
    const request = toPaymentRequest(approved, { token: undefined, returnUrl: undefined });
    let latest: Payment | undefined;
    try {
      latest = await gateway.chargePayment(payment, request);
    } catch (error) {
      this.#logPaymentError(approved, error);
      const isNotCharged = error instanceof NotChargedError;
      const next = decideAfterFailedCharge({ isNotCharged, isFirst, chargesInOneCall: false });
      if (next === 'cancel')
        return { donation: await repository.markFailedUnlessCharged(approved) };
      latest = await this.#retrievePayment(approved, payment).catch(() => undefined);
      if (!latest || latest.status === 'approved')
        return { donation: await this.#postpone(approved, getErrorName(error)) };
    }
    return this.#updateDonationFromPayment(approved, latest);
  }

  async #markFailed(row: Donation, reason: Donation['failureReason']): Promise<Donation> {
    const failed = await this.#options.repository.markFailed(row, reason);
    if (row.status === 'processing') this.#options.onChange();
    return failed;
  }

  readonly #postpone = (row: Donation, error: string | null): Promise<Donation> =>
    this.#options.repository.postponePaymentCheck(
      row,
      Math.min(
        this.#options.now() + Math.min(5 * SECOND * 2 ** row.attempts, 5 * MINUTE),
        this.#getUnclearChargeDeadline(row),
      ),
      error,
    );

  /**
   * Postpones the next check only if the check is due, because polling by the donor's page must not
   * delay a scheduled check.
   */
  readonly #postponeIfDue = async (row: Donation, error: string | null): Promise<Donation> =>
    row.nextRunAt > this.#options.now() ? row : this.#postpone(row, error);

  /**
   * Retrieves a payment. Cancels a failed payment, because the donor could confirm it again, and the
   * provider could retry the charge.
   */
  async #retrievePayment(row: Donation, ids: PaymentIds): Promise<Payment> {
    const gateway = this.#getGateway(row);
    const payment = await gateway.retrievePayment(ids);
    if (payment.status !== 'failed' || gateway.chargesInOneCall) return payment;
    return gateway.cancelPayment(ids).catch((error: unknown) => {
      if (error instanceof NotChargedError) return payment;
      throw error;
    });
  }

  #getGateway(row: Donation): PaymentGateway {
    const provider = row.payload.payment.provider;
    const gateway = this.#options.findGateway(provider);
    if (!gateway)
      throw new Error(
        `the ${provider} payment provider for donation ${row.reference} is no longer configured`,
      );
    return gateway;
  }

  #logPaymentError(row: Donation, error: unknown): void {
    this.#options.log.error(
      { reference: row.reference, provider: row.payload.payment.provider, ...describeError(error) },
      'payment call failed',
    );
  }

  /**
   * Waits for the operation in progress on this donation, and then runs the given operation on the
   * current row.
   */
  async #runAfterCurrentOperation(
    row: Donation,
    operation: (current: Donation) => Promise<PaymentResult>,
  ): Promise<PaymentResult> {
    while (this.#inProgress.has(row.reference))
      await this.#inProgress.get(row.reference)?.catch(() => undefined);
    return this.#joinOrStartOperation(row, async () =>
      operation((await this.#options.repository.findByReference(row.reference)) ?? row),
    );
  }

  /**
   * Returns the result of the operation in progress on this donation, or starts the given
   * operation.
   */
  #joinOrStartOperation(
    { reference }: Donation,
    operation: () => Promise<PaymentResult>,
  ): Promise<PaymentResult> {
    const running = this.#inProgress.get(reference);
    if (running) return running;
    const result = operation().finally(() => this.#inProgress.delete(reference));
    this.#inProgress.set(reference, result);
    return result;
  }
}

function toPaymentIdColumns({
  paymentId,
  subscriptionId,
}: Payment): Omit<PaymentColumns, 'paymentMethod'> {
  return { paymentId, subscriptionId: subscriptionId ?? null };
}

function toPaymentColumns(payment: Payment): PaymentColumns {
  return { ...toPaymentIdColumns(payment), paymentMethod: payment.method ?? null };
}

function getErrorName(error: unknown): string {
  return describeError(error).error;
}

/** Describes an amount that was agreed or charged, in major units. */
function describeAmount(
  row: Donation,
  { total, currency }: Pick<Payment, 'total' | 'currency'>,
): string {
  if (total === undefined || currency === undefined) return 'an unknown amount';
  const agreed = getDonationTotal(row);
  const decimals =
    currency === agreed.currency
      ? agreed.decimals
      : (getProviderDecimals(row.payload.payment.provider, currency) ?? 2);
  return `${toMajorUnits(total, decimals)} ${currency}`;
}
