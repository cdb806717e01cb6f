import type { DonationRequest } from '@donation-form/core/schemas';
import type { Donation } from '../database/schema.ts';
import { hashSha256 } from '../lib/hash.ts';
import { omitNotifyEmail } from './omit-donor-data.ts';

type FingerprintedRequest = Pick<
  DonationRequest,
  'gift' | 'donor' | 'customFields' | 'consents' | 'giftAid' | 'form'
> & {
  readonly payment: Pick<DonationRequest['payment'], 'provider'>;
};

/** The hash shows whether an idempotency key was reused with different content. */
export function createRequestFingerprint(request: FingerprintedRequest): string {
  const { gift, donor, customFields, consents, giftAid, form, payment } = request;
  const content = [gift, donor, customFields, consents, form, payment.provider];
  return hashSha256(JSON.stringify(giftAid ? [...content, giftAid] : content));
}

/**
 * Replaces the fingerprint once a tribute email has been deleted, so that repeated requests match
 * with or without it.
 */
export function createFingerprintWithoutNotifyEmail(request: FingerprintedRequest): string {
  return `unnotified ${createRequestFingerprint({ ...request, gift: omitNotifyEmail(request.gift) })}`;
}

/** Returns true if the request has the content of the first one with its idempotency key. */
export function isRepeatedRequest({ fingerprint }: Donation, request: DonationRequest): boolean {
  return (
    fingerprint === createRequestFingerprint(request) ||
    fingerprint === createFingerprintWithoutNotifyEmail(request)
  );
}
