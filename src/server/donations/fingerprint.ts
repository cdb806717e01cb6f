import type { DonationRequest } from '@donation-form/core/schemas';
import type { Donation } from '../database/schema.ts';
import { sha256 } from '../lib/hash.ts';
import { omitNotifyEmail } from './omit-donor-data.ts';

type FingerprintedRequest = Pick<
  DonationRequest,
  'gift' | 'donor' | 'customFields' | 'consents' | 'form'
> & {
  readonly payment: Pick<DonationRequest['payment'], 'provider'>;
};

/** Hashes the content of a request, to detect an idempotency key reused with other content. */
export function createFingerprint({
  gift,
  donor,
  customFields,
  consents,
  form,
  payment: { provider },
}: FingerprintedRequest): string {
  return sha256(JSON.stringify([gift, donor, customFields, consents, form, provider]));
}

/**
 * Hashes the content of a request whose tribute email was deleted. The prefix sets it apart from
 * other fingerprints, so that only such a donation matches requests with and without the email.
 */
export function createFingerprintWithoutNotifyEmail(request: FingerprintedRequest): string {
  return `unnotified ${createFingerprint({ ...request, gift: omitNotifyEmail(request.gift) })}`;
}

/** Returns true if a request repeats the donation with the same idempotency key. */
export function isRepeatedRequest({ fingerprint }: Donation, request: DonationRequest): boolean {
  return (
    fingerprint === createFingerprint(request) ||
    fingerprint === createFingerprintWithoutNotifyEmail(request)
  );
}
