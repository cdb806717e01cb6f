import { isDatabaseError } from '../database/database-error.ts';
import type { Donation } from '../database/schema.ts';
import { InvalidPaymentError, NotChargedError, type Payment } from '../payments/payment-gateway.ts';
import { decideAfterFailedCharge } from './payment-decisions.ts';
import {
  applyPayment,
  chargesInOneCall,
  getErrorName,
  getGateway,
  logPaymentError,
  type PaymentResult,
  postponeCheck,
  retrievePayment,
  type SyncContext,
  toPaymentIdColumns,
} from './sync-donation.ts';
import { getPaymentIds, type PaymentInput, toPaymentRequest } from './to-payment-request.ts';

/** Creates and charges a donation's payment. If the response is lost, it remains `unconfirmed`. */
export async function chargeDonation(
  donation: Donation,
  input: PaymentInput,
  context: SyncContext,
): Promise<PaymentResult> {
  const createPayment = (): Promise<Payment> =>
    getGateway(donation, context).createPayment(toPaymentRequest(donation, input));
  let payment: Payment;
  try {
    payment = await createPayment().catch((error: unknown) => {
      if (error instanceof NotChargedError) throw error;
      return createPayment();
    });
    await assertPaymentIsNew(donation, payment, context);
  } catch (error) {
    if (isDatabaseError(error)) throw error;
    logPaymentError(donation, error, context);
    const { reason = 'payment-failed' } = error instanceof NotChargedError ? error : {};
    return {
      donation: await context.repository.applyTrigger(donation, { type: 'not_charged', reason }),
    };
  }
  return payment.status === 'unconfirmed'
    ? chargePayment(donation, payment, input, true, context)
    : applyPayment(donation, payment, context);
}

export async function resumeCharge(
  donation: Donation,
  input: PaymentInput,
  context: SyncContext,
): Promise<PaymentResult> {
  if (donation.status !== 'unconfirmed') return { donation };
  if (donation.paymentId === null) return chargeDonation(donation, input, context);
  let payment: Payment;
  try {
    payment = await retrievePayment(donation, getPaymentIds(donation), context);
  } catch (error) {
    logPaymentError(donation, error, context);
    return { donation };
  }
  const canCharge = input.token !== undefined && !chargesInOneCall(donation, context);
  return payment.status === 'unconfirmed' && canCharge
    ? chargePayment(donation, payment, input, false, context)
    : applyPayment(donation, payment, context);
}

/** @throws {InvalidPaymentError} if another donation has the payment. */
async function assertPaymentIsNew(
  { reference }: Donation,
  { paymentId }: Payment,
  { repository, organization }: SyncContext,
): Promise<void> {
  const found = await repository.findByPayment(organization, paymentId);
  if (found && found.reference !== reference)
    throw new InvalidPaymentError(
      `the payment provider returned payment ${paymentId} for donation ${reference}, but the ` +
        `payment belongs to ${found.reference}. Expected a new payment for each reference`,
    );
}

/** @param isFirst true if no earlier call to charge the payment can still be in progress. */
async function chargePayment(
  unsaved: Donation,
  payment: Payment,
  input: PaymentInput,
  isFirst: boolean,
  context: SyncContext,
): Promise<PaymentResult> {
  const { repository } = context;
  const donation = await repository.applyTrigger(
    unsaved,
    { type: 'charge_started', paymentId: payment.paymentId },
    { columns: toPaymentIdColumns(payment) },
  );
  if (donation.status !== 'unconfirmed') return { donation };
  if (donation.paymentId !== payment.paymentId)
    throw new Error(
      `payment ${payment.paymentId} for donation ${donation.reference} was not saved, ` +
        'so the donor was not charged',
    );
  let latest: Payment;
  try {
    latest = await getGateway(donation, context).chargePayment(
      payment,
      toPaymentRequest(donation, input),
    );
  } catch (error) {
    logPaymentError(donation, error, context);
    const next = decideAfterFailedCharge({
      isNotCharged: error instanceof NotChargedError,
      isFirst,
      chargesInOneCall: chargesInOneCall(donation, context),
    });
    if (next === 'fail')
      return {
        donation: await repository.applyTrigger(donation, {
          type: 'failed',
          reason: 'payment-failed',
        }),
      };
    if (next === 'cancel')
      return cancelUnusedPayment(donation, (error as NotChargedError).isTokenUnusable, context);
    latest = await retrievePayment(donation, payment, context).catch(() => payment);
  }
  return applyPayment(donation, latest, context);
}

/**
 * @param isTokenUnusable true if the token is unknown or already used, which counts as a decline.
 */
async function cancelUnusedPayment(
  donation: Donation,
  isTokenUnusable: boolean,
  context: SyncContext,
): Promise<PaymentResult> {
  let payment: Payment;
  try {
    payment = await getGateway(donation, context).cancelPayment(getPaymentIds(donation));
  } catch (error) {
    logPaymentError(donation, error, context);
    return { donation: await postponeCheck(donation, getErrorName(error), context) };
  }
  return applyPayment(
    donation,
    isTokenUnusable ? { ...payment, reason: 'card-declined' } : payment,
    context,
  );
}
