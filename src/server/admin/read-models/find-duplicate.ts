import type { Kysely } from 'kysely';
import type { Donation, Tables } from '../../database/schema.ts';
import { isSameEmail } from '../../privacy/match-email.ts';

/** Maximum time between a donation and its probable duplicate, in milliseconds. */
const MAX_INTERVAL = 600_000;
/** Maximum number of donations to compare. */
const MAX_DONATIONS = 1_000;

/**
 * Finds a probable duplicate: a donation by the same donor, with the same amount, frequency, and
 * form, at most ten minutes earlier or later. Returns `undefined` if one of the two donations was
 * certainly not charged.
 */
export async function findProbableDuplicate(
  db: Kysely<Tables>,
  donation: Donation,
): Promise<Donation | undefined> {
  if (!mayBeCharged(donation)) return undefined;
  const { organization, reference, createdAt: at } = donation;
  const candidates = await db
    .selectFrom('donations')
    .selectAll()
    .where('organization', '=', organization)
    .where('createdAt', '>=', at - MAX_INTERVAL)
    .where('createdAt', '<=', at + MAX_INTERVAL)
    .where('reference', '!=', reference)
    .where('status', 'in', ['succeeded', 'processing', 'needs_review'])
    .orderBy('createdAt')
    .limit(MAX_DONATIONS)
    .execute();
  return candidates.find((other) => mayBeCharged(other) && isEqualDonation(other, donation));
}

/** Returns true unless the payment is unfinished, failed, or a pledge. */
function mayBeCharged({ status, awaiting }: Donation): boolean {
  return (
    status === 'succeeded' ||
    status === 'needs_review' ||
    (status === 'processing' && awaiting !== 'donor')
  );
}

function isEqualDonation({ payload: one }: Donation, { payload: other }: Donation): boolean {
  return (
    other.donor.email !== undefined &&
    isSameEmail(one.donor.email, other.donor.email) &&
    one.gift.total === other.gift.total &&
    one.gift.currency === other.gift.currency &&
    one.gift.frequency === other.gift.frequency &&
    one.form.id === other.form.id
  );
}
