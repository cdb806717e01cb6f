/** Findings about listed payments and gifts that match no donation or renewal of the period. */
import { toMajorUnits } from '@donation-form/core/money';
import type { Donation } from '../database/schema.ts';
import type { DonationRepository } from '../donations/donation-repository.ts';
import { isReference } from '../donations/reference.ts';
import { getDonationTotal } from '../donations/total.ts';
import type { Period } from '../lib/period.ts';
import { getProviderDecimals } from '../payments/payment-providers.ts';
import {
  createDuplicateFinding,
  createInProgressFinding,
  createMismatchFinding,
  createMissingFinding,
  isRecent,
  type Finding,
} from './differences.ts';
import type { StagedPayment, StagingDatabase } from './staging-database.ts';

const NO_DONATION = 'no donation with this reference';

/**
 * Compares a listed payment with the donation that has the payment's reference. Call this only if
 * the database has a different payment, or none, for the donation.
 */
export function compareSecondPayment(
  { reference, status, paymentId: savedPaymentId }: Donation,
  { paymentId, at }: StagedPayment,
  now: number,
): Finding {
  if (status === 'succeeded' || status === 'processing')
    return createDuplicateFinding(
      'payment-provider',
      reference,
      `${savedPaymentId ?? ''}, ${paymentId}`,
    );
  if (isRecent(at.getTime(), now))
    return createInProgressFinding(
      reference,
      `succeeded at the payment provider (${paymentId}), ${status} in the database`,
    );
  return createMismatchFinding('database', reference, 'status', status, `succeeded (${paymentId})`);
}

/**
 * Describes a renewal that the database does not have.
 * @param state `recent` if the renewal's webhook might still arrive; `restored` if earlier renewals
 *   since a backup must be saved first.
 */
export function createMissingRenewalFinding(
  donation: Donation,
  { paymentId, total, currency }: StagedPayment,
  state: 'recent' | 'restored' | 'unsaved',
): Finding {
  const { decimals } = getDonationTotal(donation);
  const amount = `${toMajorUnits(total, decimals)} ${currency} (${paymentId})`;
  if (state === 'recent')
    return createInProgressFinding(donation.reference, `a renewal of ${amount}`);
  const found =
    state === 'restored'
      ? 'not saved: run "donation-form reconcile --apply" for the whole period since the backup'
      : 'not saved';
  return createMissingFinding('database', donation.reference, 'renewal', found, amount);
}

/** @param reference reference in the payment's metadata, for which the database has no donation. */
export function createMissingDonationFinding(
  reference: string,
  { provider, paymentId, at, status, total, currency }: StagedPayment,
  now: number,
): Finding {
  const decimals = getProviderDecimals(provider, currency) ?? 2;
  return isRecent(at.getTime(), now)
    ? createInProgressFinding(reference, `${status} at the payment provider`)
    : createMissingFinding(
        'database',
        reference,
        'donation',
        NO_DONATION,
        `${toMajorUnits(total, decimals)} ${currency} ${status} (${paymentId})`,
      );
}

/** Yields findings about listed gifts that the database has no donation or renewal for. */
export async function* compareUnmatchedGifts(
  stagingDatabase: StagingDatabase,
  repository: DonationRepository,
  period: Period,
): AsyncGenerator<Finding> {
  for (const { reference, platformId, at } of stagingDatabase.iterateUnmatchedGifts()) {
    if (at && !isInPeriod(at, period)) continue;
    if (
      !isReference(reference) ||
      (await repository.findByReference(reference)) ||
      (await repository.outbox.findGiftCreation(reference))
    )
      continue;
    yield createMissingFinding(
      'database',
      reference,
      'donation',
      NO_DONATION,
      `${platformId} on the platform`,
    );
  }
}

export function isInPeriod(date: Date, { from, to }: Period): boolean {
  return from <= date.getTime() && date.getTime() < to;
}
