import type { Donor, Fund, Gift } from '../data/records.ts';
import {
  CONTACT_ADDRESS_TYPE,
  DONATION_STATUS_BY_GIFT_STATUS,
  TENDER_TYPE_BY_METHOD,
  toRecurringFrequency,
} from './enumerations.ts';

/** Formats a date and time in UTC as `MM/DD/YYYY HH:MM:SS AM/PM` (specification, "Dates"). */
export function formatDate(iso: string): string {
  const [, year, month, day, hour, minutesAndSeconds] =
    /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d:\d\d)/.exec(new Date(iso).toISOString()) ?? [];
  const hours = Number(hour);
  return (
    `${month}/${day}/${year} ` +
    `${String(hours % 12 || 12).padStart(2, '0')}:${minutesAndSeconds} ` +
    (hours < 12 ? 'AM' : 'PM')
  );
}

/**
 * Maps a donor to this interface's fields. All field names except `dateCreated` and `lastModified`
 * are specific to the sandbox.
 */
export function toDonorRecord(
  {
    id,
    firstName,
    lastName,
    organization,
    email,
    phone,
    crmKey,
    code,
    isActive,
    address,
    created,
    modified,
  }: Donor,
  includeDetails: boolean,
): object {
  return {
    id,
    firstName,
    lastName,
    organizationName: organization,
    email,
    phone,
    crmKey,
    code,
    isActive,
    dateCreated: formatDate(created),
    lastModified: formatDate(modified),
    ...(includeDetails && {
      addresses: address ? [{ addressType: CONTACT_ADDRESS_TYPE, ...address }] : [],
    }),
  };
}

/**
 * Maps a gift to this interface's fields. All field names except the dates, `IsAnonymous`,
 * `CustomDataItems`, and `isDeleted` are specific to the sandbox.
 */
export function toDonationRecord(
  gift: Gift,
  donor: Donor | undefined,
  includeDetails: boolean,
): object {
  return {
    id: gift.id,
    donorId: gift.donorId,
    transactionId: gift.reference,
    amount: Number(gift.total),
    currency: gift.currency,
    status: DONATION_STATUS_BY_GIFT_STATUS[gift.status],
    tenderType: TENDER_TYPE_BY_METHOD[gift.method],
    recurringFrequency: toRecurringFrequency(gift.frequency),
    campaignId: gift.campaignId,
    code: gift.segment,
    comment: gift.comment,
    isTest: gift.isTest,
    isDeleted: gift.isDeleted,
    IsAnonymous: gift.isAnonymous,
    dateCreated: formatDate(gift.created),
    lastModified: formatDate(gift.modified),
    ...(includeDetails && {
      donor: donor && toDonorRecord(donor, true),
      fundAllocations: gift.allocations.map(({ code, name, amount }) => ({
        fundCode: code,
        fundName: name,
        amount: Number(amount),
        comment: '',
      })),
      CustomDataItems: gift.customFields.map(({ id, value }) => ({ id, value })),
    }),
  };
}

/** Maps a fund to this interface's fields. */
export function toFundRecord({ id, code, name, description, isActive, created }: Fund): object {
  return {
    id,
    code,
    name,
    description,
    isActive,
    dateCreated: formatDate(created),
    lastModified: formatDate(created),
  };
}
