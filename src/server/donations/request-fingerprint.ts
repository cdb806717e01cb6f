import type { DonationRequest } from '@donation-form/core/schemas';
import type { Donation } from '../database/schema.ts';
import { hashSha256 } from '../lib/hash.ts';
import { omitNotifyEmail } from './omit-donor-data.ts';

type FingerprintedRequest = Pick<
  DonationRequest,
  'gift' | 'donor' | 'customFields' | 'consents' | 'form'
> & {
  readonly payment: Pick<DonationRequest['payment'], 'provider'>;
};

/** Hashes a request's content, to detect an idempotency key that is reused with other content. */
export function createRequestFingerprint({
  gift,
  donor,
  customFields,
  consents,
  form,
  payment: { provider },
}: FingerprintedRequest): string {
  return hashSha256(JSON.stringify([gift, donor, customFields, consents, form, provider]));
}

/**
 * Hashes a request's content without the tribute email. A donation whose tribute email was deleted
 * has this fingerprint, and so matches repeated requests with and without the email.
 */
export function createFingerprintWithoutNotifyEmail(request: FingerprintedRequest): string {
  return `unnotified ${createRequestFingerprint({ ...request, gift: omitNotifyEmail(request.gift) })}`;
}

/** Returns true if a request repeats the donation with the same idempotency key. */
export function isRepeatedRequest({ fingerprint }: Donation, request: DonationRequest): boolean {
  return (
    fingerprint === createRequestFingerprint(request) ||
    fingerprint === createFingerprintWithoutNotifyEmail(request)
  );
}
