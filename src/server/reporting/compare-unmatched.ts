/** Findings about listed payments and gifts that match no donation or renewal of the period. */
import { toMajorUnits } from '@donation-form/core/money';
import type { Donation } from '../database/schema.ts';
import type { DonationRepository } from '../donations/donation-repository.ts';
import { isReference } from '../donations/reference.ts';
import { getDonationTotal } from '../donations/total.ts';
import type { Period } from '../lib/period.ts';
import { getProviderDecimals } from '../payments/payment-providers.ts';
import { createFindings, type Finding, isRecent } from './differences.ts';
import type { StagedPayment, StagingDatabase } from './staging-database.ts';

const NO_DONATION = 'no donation with this reference';

/** Call this only if the database has a different payment, or none, for the donation. */
export function compareSecondPayment(
  { reference, status, paymentId: savedPaymentId }: Donation,
  { paymentId, at }: StagedPayment,
  now: number,
): Finding {
  const { createDuplicate, createInProgress, createMismatch } = createFindings(reference);
  if (status === 'succeeded' || status === 'processing')
    return createDuplicate('payment-provider', `${savedPaymentId ?? ''}, ${paymentId}`);
  return isRecent(at.getTime(), now)
    ? createInProgress(
        `succeeded at the payment provider (${paymentId}), ${status} in the database`,
      )
    : createMismatch('database', 'status', status, `succeeded (${paymentId})`);
}

/**
 * `isTooRecent`: its webhook might still arrive. `mustWait`: earlier renewals must be saved first.
 */
export function createMissingRenewalFinding(
  donation: Donation,
  { paymentId, total, currency }: StagedPayment,
  options: { readonly isTooRecent: boolean; readonly mustWait: boolean },
): Finding {
  const { decimals } = getDonationTotal(donation);
  const amount = `${toMajorUnits(total, decimals)} ${currency} (${paymentId})`;
  const { createInProgress, createMissing } = createFindings(donation.reference);
  if (options.isTooRecent) return createInProgress(`a renewal of ${amount}`);
  const found = options.mustWait
    ? 'not saved: run "donation-form reconcile --apply" for the whole period since the backup'
    : 'not saved';
  return createMissing('database', 'renewal', found, amount);
}

/** @param reference reference in the payment's metadata, for which the database has no donation. */
export function createMissingDonationFinding(
  reference: string,
  { provider, paymentId, at, status, total, currency }: StagedPayment,
  now: number,
): Finding {
  const { createInProgress, createMissing } = createFindings(reference);
  if (isRecent(at.getTime(), now)) return createInProgress(`${status} at the payment provider`);
  const amount = toMajorUnits(total, getProviderDecimals(provider, currency) ?? 2);
  const expected = `${amount} ${currency} ${status} (${paymentId})`;
  return createMissing('database', 'donation', NO_DONATION, expected);
}

export async function* compareUnmatchedGifts(
  stagingDatabase: StagingDatabase,
  repository: DonationRepository,
  period: Period,
): AsyncGenerator<Finding> {
  for (const { reference, platformId, at } of stagingDatabase.iterateUnmatched('gift')) {
    if (at && !isInPeriod(at, period)) continue;
    if (
      !isReference(reference) ||
      (await repository.findByReference(reference)) ||
      (await repository.outbox.findGiftCreation(reference))
    )
      continue;
    const expected = `${platformId} on the platform`;
    yield createFindings(reference).createMissing('database', 'donation', NO_DONATION, expected);
  }
}

export function isInPeriod(date: Date, { from, to }: Period): boolean {
  return from <= date.getTime() && date.getTime() < to;
}
