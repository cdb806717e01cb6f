import { toMajorUnits } from '@donation-form/core/money';
import type { PaymentAction } from '@donation-form/core/schemas';
import type { Donation } from '../database/schema.ts';
import { describeError } from '../lib/describe-error.ts';
import type { Logger } from '../lib/logger.ts';
import {
  NotChargedError,
  type Payment,
  type PaymentGateway,
  type PaymentIds,
} from '../payments/payment-gateway.ts';
import { getProviderDecimals } from '../payments/payment-providers.ts';
import type { TransitionExtras } from './apply-transition.ts';
import type { DonationRepository, PaymentColumns } from './donation-repository.ts';
import {
  decideAfterCheck,
  decideAfterFailedCharge,
  decideCheck,
  getUnclearChargeDeadline,
  IN_PROGRESS,
  interpretPayment,
  isCharged,
  type PaymentTrigger,
} from './payment-decisions.ts';
import { getPaymentIds, toPaymentRequest } from './to-payment-request.ts';
import { getDonationTotal } from './total.ts';

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;

/** Delay of the check of an unfinished charge, in milliseconds. */
const CHARGE_CHECK_DELAY = 20 * SECOND;
/** Interval between checks of processing payments, which webhooks may shorten, in milliseconds. */
const PROCESSING_POLL_INTERVAL = 12 * HOUR;

const NOT_CHARGED = { type: 'not_charged', reason: 'payment-failed' } as const;
const NOT_FOUND = 'the search did not find the gift';
const SEARCH_FAILED = 'the last search failed, so it is unknown whether the donor was charged';

export interface SyncContext {
  readonly organization: string;
  readonly repository: DonationRepository;
  readonly findGateway: (provider: string) => PaymentGateway | undefined;
  /** Wakes the workers that report changes to the platform and to webhook endpoints. */
  readonly wakeDelivery: () => void;
  readonly log: Logger;
  readonly now: () => number;
}

export interface PaymentResult {
  readonly donation: Donation;
  /** The donor's next action. Set only directly after a call to the provider. */
  readonly action?: PaymentAction | undefined;
}

/**
 * Updates a donation from the provider's record. Cancels an overdue payment.
 * @param postpone schedules the next check.
 */
export async function syncDonation(
  donation: Donation,
  context: SyncContext,
  postpone = postponeCheck,
): Promise<PaymentResult> {
  const { repository, now } = context;
  const check = decideCheck(donation, now());
  if (check === 'none') return { donation };
  if (check === 'postpone')
    return { donation: await postpone(donation, 'no payment has been created yet', context) };
  if (check === 'fail') return { donation: await repository.applyTrigger(donation, NOT_CHARGED) };
  let payment: Payment;
  let next: ReturnType<typeof decideAfterCheck>;
  try {
    const gateway = getGateway(donation, context);
    const ids = getPaymentIds(donation);
    payment = await retrievePayment(donation, ids, context);
    next = decideAfterCheck(donation, payment, {
      now: now(),
      chargesInOneCall: chargesInOneCall(donation, context),
    });
    if (next === 'cancel') payment = await gateway.cancelPayment(ids);
  } catch (error) {
    logPaymentError(donation, error, context);
    if (isChargeUnclear(donation, context))
      return { donation: await requestReview(donation, SEARCH_FAILED, context) };
    if (!IN_PROGRESS.includes(donation.status)) return { donation };
    return { donation: await postpone(donation, getErrorName(error), context) };
  }
  if (next === 'none') return { donation };
  if (next === 'review') return { donation: await reviewLateCharge(donation, payment, context) };
  return applyPayment(donation, payment, context, postpone);
}

/** If the provider charged a different amount or currency, marks the donation for review. */
export async function applyPayment(
  donation: Donation,
  payment: Payment,
  context: SyncContext,
  postpone = postponeCheck,
): Promise<PaymentResult> {
  const expected = getDonationTotal(donation);
  const isAsAgreed = payment.total === expected.total && payment.currency === expected.currency;
  const decision = interpretPayment(donation, payment, isAsAgreed);
  const isContradiction = !isAsAgreed && (isCharged(payment) || payment.status === 'approved');
  if (isContradiction && decision.type !== 'postpone') logContradiction(donation, payment, context);
  switch (decision.type) {
    case 'charge':
      return chargeApprovedPayment(donation, payment, context);
    case 'postpone':
      return awaitNextReport(donation, payment, context, postpone);
    default:
      return applyPaymentTrigger(donation, payment, decision, context);
  }
}

/**
 * The donor, a webhook, and the worker can all trigger the charge, but the provider charges only
 * once. If it rejects the charge, the donation fails only if no other server has begun to charge
 * it.
 */
async function chargeApprovedPayment(
  donation: Donation,
  payment: Payment,
  context: SyncContext,
): Promise<PaymentResult> {
  const { repository, now } = context;
  const { donation: approved, isFirst } = await repository.markApproved(
    donation,
    toPaymentIdColumns(payment),
    now() + CHARGE_CHECK_DELAY,
  );
  if (approved.status !== 'unconfirmed' || approved.paymentId !== payment.paymentId)
    return { donation: approved };
  const request = toPaymentRequest(approved, {});
  const gateway = getGateway(approved, context);
  let latest: Payment | undefined;
  try {
    latest = await gateway.chargePayment(payment, request);
  } catch (error) {
    logPaymentError(approved, error, context);
    const isNotCharged = error instanceof NotChargedError;
    const next = decideAfterFailedCharge({ isNotCharged, isFirst, chargesInOneCall: false });
    if (next === 'cancel')
      return { donation: await repository.applyTrigger(approved, NOT_CHARGED) };
    latest = await retrievePayment(approved, payment, context).catch(() => undefined);
    if (!latest || latest.status === 'approved')
      return { donation: await postponeCheck(approved, getErrorName(error), context) };
  }
  return applyPayment(approved, latest, context);
}

async function awaitNextReport(
  donation: Donation,
  { status, action }: Payment,
  context: SyncContext,
  postpone: typeof postponeCheck,
): Promise<PaymentResult> {
  if (donation.status === 'processing') {
    const dueAt = context.now() + PROCESSING_POLL_INTERVAL;
    return { donation: await context.repository.postponePaymentCheck(donation, dueAt, null) };
  }
  if (status === 'unconfirmed' && isChargeUnclear(donation, context))
    return { donation: await requestReview(donation, NOT_FOUND, context) };
  const error = status === 'unconfirmed' ? 'the payment is not confirmed yet' : null;
  return { donation: await postpone(donation, error, context), action };
}

async function applyPaymentTrigger(
  donation: Donation,
  payment: Payment,
  trigger: PaymentTrigger,
  { repository, log, wakeDelivery, now }: SyncContext,
): Promise<PaymentResult> {
  const { type } = trigger;
  const columns = buildPaymentColumns(donation, payment, trigger, now());
  const current = await repository.applyTrigger(donation, trigger, { columns });
  if (
    type === 'succeeded' &&
    (current.status !== 'succeeded' || current.paymentId !== payment.paymentId)
  )
    log.error(
      { reference: donation.reference, paymentId: payment.paymentId, status: current.status },
      'charge succeeded, but the donation has a different status or payment; ' +
        'check the payment with the payment provider',
    );
  const wasProcessing = donation.status === 'processing';
  if (type === 'accepted' || type === 'succeeded' || (type === 'failed' && wasProcessing))
    wakeDelivery();
  return { donation: current, ...(type === 'action_required' && { action: payment.action }) };
}

function buildPaymentColumns(
  donation: Donation,
  payment: Payment,
  { type }: PaymentTrigger,
  now: number,
): TransitionExtras['columns'] {
  const columns = toPaymentColumns(payment);
  switch (type) {
    case 'failed':
      return undefined;
    case 'action_required':
      return { ...columns, nextRunAt: now + MINUTE };
    case 'accepted':
      return { ...columns, nextRunAt: now + PROCESSING_POLL_INTERVAL };
    case 'contradicted':
      return {
        ...columns,
        lastError:
          `the payment provider charged ${describeAmount(donation, payment)} ` +
          `(${payment.paymentId}) instead of the agreed ` +
          describeAmount(donation, getDonationTotal(donation)),
      };
    case 'succeeded':
      return columns;
  }
}

function requestReview(
  donation: Donation,
  reason: string,
  { repository, log }: SyncContext,
): Promise<Donation> {
  const { reference, paymentId } = donation;
  log.error({ reference, paymentId }, 'charge result unknown: donation needs review');
  const lastError =
    `the response to the charge was lost, and ${reason}; ` +
    'search the platform for the reference, donor, and amount';
  return repository.applyTrigger(donation, { type: 'contradicted' }, { columns: { lastError } });
}

/** Marks a failed but charged donation for review, unless a person has already decided. */
async function reviewLateCharge(
  donation: Donation,
  payment: Payment,
  { repository, log }: SyncContext,
): Promise<Donation> {
  const { reference } = donation;
  const { status, paymentId } = payment;
  if (await repository.reviewDecisions.hasPaymentDecision(reference)) return donation;
  log.error(
    { reference, paymentId, status },
    'the payment provider charged a donation already marked as failed',
  );
  const lastError = `payment ${paymentId} succeeded after the donation was marked as failed; accept or refund it`;
  return repository.applyTrigger(
    donation,
    { type: 'contradicted' },
    { columns: { ...toPaymentColumns(payment), lastError } },
  );
}

/** The delay grows with each attempt. */
export function postponeCheck(
  donation: Donation,
  error: string | null,
  context: SyncContext,
): Promise<Donation> {
  const delay = Math.min(5 * SECOND * 2 ** donation.attempts, 5 * MINUTE);
  const dueAt = Math.min(context.now() + delay, getDeadline(donation, context));
  return context.repository.postponePaymentCheck(donation, dueAt, error);
}

/** Postpones only a due check: polling by the donor's page must not delay a scheduled one. */
export async function postponeDueCheck(
  donation: Donation,
  error: string | null,
  context: SyncContext,
): Promise<Donation> {
  return donation.nextRunAt > context.now() ? donation : postponeCheck(donation, error, context);
}

/**
 * Cancels a failed payment, because the donor could confirm it again, and the provider could retry
 * the charge.
 */
export async function retrievePayment(
  donation: Donation,
  ids: PaymentIds,
  context: SyncContext,
): Promise<Payment> {
  const gateway = getGateway(donation, context);
  const payment = await gateway.retrievePayment(ids);
  if (payment.status !== 'failed' || gateway.chargesInOneCall) return payment;
  return gateway.cancelPayment(ids).catch((error: unknown) => {
    if (error instanceof NotChargedError) return payment;
    throw error;
  });
}

export function getGateway(
  { reference, payload: { payment } }: Donation,
  { findGateway }: SyncContext,
): PaymentGateway {
  const gateway = findGateway(payment.provider);
  if (!gateway)
    throw new Error(
      `the ${payment.provider} payment provider for donation ${reference} is no longer configured`,
    );
  return gateway;
}

export function chargesInOneCall(
  { payload }: Donation,
  { findGateway }: Pick<SyncContext, 'findGateway'>,
): boolean {
  return findGateway(payload.payment.provider)?.chargesInOneCall === true;
}

function isChargeUnclear(donation: Donation, context: SyncContext): boolean {
  return context.now() >= getDeadline(donation, context);
}

function getDeadline(donation: Donation, context: SyncContext): number {
  return getUnclearChargeDeadline(donation, chargesInOneCall(donation, context));
}

export function logPaymentError(
  { reference, payload: { payment } }: Donation,
  error: unknown,
  { log }: SyncContext,
): void {
  log.error(
    { reference, provider: payment.provider, ...describeError(error) },
    'payment call failed',
  );
}

function logContradiction({ reference }: Donation, payment: Payment, { log }: SyncContext): void {
  const { paymentId, total, currency } = payment;
  log.error(
    { reference, paymentId, total, currency },
    isCharged(payment)
      ? 'the payment provider charged a different amount or currency'
      : 'the donor approved a different amount or currency, so nothing was charged',
  );
}

export function toPaymentIdColumns({
  paymentId,
  subscriptionId,
}: Payment): Omit<PaymentColumns, 'paymentMethod'> {
  return { paymentId, subscriptionId: subscriptionId ?? null };
}

function toPaymentColumns(payment: Payment): PaymentColumns {
  return { ...toPaymentIdColumns(payment), paymentMethod: payment.method ?? null };
}

export function getErrorName(error: unknown): string {
  return describeError(error).error;
}

function describeAmount(
  donation: Donation,
  { total, currency }: Pick<Payment, 'total' | 'currency'>,
): string {
  if (total === undefined || currency === undefined) return 'an unknown amount';
  const agreed = getDonationTotal(donation);
  const decimals =
    currency === agreed.currency
      ? agreed.decimals
      : (getProviderDecimals(donation.payload.payment.provider, currency) ?? 2);
  return `${toMajorUnits(total, decimals)} ${currency}`;
}
