import type { DonationRequest } from '@donation-form/core/schemas';
import type { Donation } from '../database/schema.ts';
import { sha256 } from '../lib/hash.ts';
import { withoutNotification } from './anonymize.ts';

type Requested = Pick<DonationRequest, 'gift' | 'donor' | 'customFields' | 'consents' | 'form'> & {
  readonly payment: Pick<DonationRequest['payment'], 'provider'>;
};

/** What a key stands for: the same key with another of these is refused. */
export function fingerprintOf({
  gift,
  donor,
  customFields,
  consents,
  form,
  payment: { provider },
}: Requested): string {
  return sha256(JSON.stringify([gift, donor, customFields, consents, form, provider]));
}

/**
 * The same without the address of who is told; in words that no other fingerprint has, since only
 * there an address more is no other gift.
 */
export function unnotifiedFingerprintOf(requested: Requested): string {
  return `unnotified ${fingerprintOf({ ...requested, gift: withoutNotification(requested.gift) })}`;
}

/** Whether a request repeats the gift that its key stands for. */
export function isSameRequest({ fingerprint }: Donation, request: DonationRequest): boolean {
  return fingerprint === fingerprintOf(request) || fingerprint === unnotifiedFingerprintOf(request);
}
