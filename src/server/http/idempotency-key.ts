import type { Donation } from '../database/schema.ts';
import type { DonationParts } from '../donations/submit-donation.ts';
import { hashSha256 } from '../lib/hash.ts';
import { Problem } from '../lib/problem.ts';
import { identifyClient, type RouteContext } from './context.ts';

const KEY_PATTERN = /^[\w-]{22,100}$/;
const MIN_DISTINCT_CHARACTERS = 8;

export const isIdempotencyKey = (text: string): boolean =>
  KEY_PATTERN.test(text) && new Set(text).size >= MIN_DISTINCT_CHARACTERS;

/**
 * A key must look like at least 128 random bits in base64url. The server cannot measure randomness,
 * but it can reject keys that are too short or repetitive.
 * @throws {Problem} idempotency-key-missing, idempotency-key-invalid.
 */
export function hashIdempotencyKey(key: string | undefined): string {
  if (!key)
    throw new Problem(
      'idempotency-key-missing',
      'The Idempotency-Key header is missing. Create a random key for each donation, and send ' +
        'the same key with every attempt.',
    );
  if (!isIdempotencyKey(key)) {
    throw new Problem(
      'idempotency-key-invalid',
      `The length of the Idempotency-Key header is ${key.length}; expected 22 to 100 characters ` +
        `from A-Z, a-z, 0-9, -, and _, at least ${MIN_DISTINCT_CHARACTERS} of them distinct. Send at least ` +
        '128 random bits in base64url.',
    );
  }
  return hashSha256(key);
}

/**
 * The lookup counts toward the client's limit.
 * @throws {Problem} too-many-requests, idempotency-key-missing, idempotency-key-invalid.
 */
export async function findDonation(
  c: RouteContext,
  key: string | undefined,
  { repository, fraudProtection }: Pick<DonationParts, 'repository' | 'fraudProtection'>,
): Promise<Donation | undefined> {
  await fraudProtection.admitRequest('lookups', identifyClient(c, fraudProtection));
  const donation = await repository.findByKeyHash(hashIdempotencyKey(key));
  if (!donation) return undefined;
  c.set('organization', donation.organization);
  c.set('reference', donation.reference);
  return donation;
}
