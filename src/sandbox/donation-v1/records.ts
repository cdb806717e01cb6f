import type { Donor, Fund, Gift } from '../data/records.ts';
import {
  CONTACT_ADDRESS,
  DONATION_STATUS_OF,
  recurringFrequency,
  TENDER_OF,
} from './enumerations.ts';

/** A moment as this interface writes one: UTC, `MM/DD/YYYY HH:MM:SS AM/PM` ('Dates'). */
export function writeDate(iso: string): string {
  const [, year, month, day, hour, rest] =
    /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d:\d\d)/.exec(new Date(iso).toISOString()) ?? [];
  const hours = Number(hour);
  return `${month}/${day}/${year} ${String(hours % 12 || 12).padStart(2, '0')}:${rest} ${hours < 12 ? 'AM' : 'PM'}`;
}

/**
 * A donor as this interface shows one; all field names but `dateCreated` and `lastModified` are the
 * sandbox's own.
 */
export function donorRecord(
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
  withDetails: boolean,
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
    dateCreated: writeDate(created),
    lastModified: writeDate(modified),
    ...(withDetails && {
      addresses: address ? [{ addressType: CONTACT_ADDRESS, ...address }] : [],
    }),
  };
}

/**
 * A donation as this interface shows one; all field names but the dates, `IsAnonymous`,
 * `CustomDataItems` and `isDeleted` are the sandbox's own.
 */
export function donationRecord(gift: Gift, donor: Donor | undefined, withDetails: boolean): object {
  return {
    id: gift.id,
    donorId: gift.donorId,
    transactionId: gift.reference,
    amount: Number(gift.total),
    currency: gift.currency,
    status: DONATION_STATUS_OF[gift.status],
    tenderType: TENDER_OF[gift.method],
    recurringFrequency: recurringFrequency(gift.frequency),
    campaignId: gift.campaignId,
    code: gift.segment,
    comment: gift.comment,
    isTest: gift.isTest,
    isDeleted: gift.isDeleted,
    IsAnonymous: gift.isAnonymous,
    dateCreated: writeDate(gift.created),
    lastModified: writeDate(gift.modified),
    ...(withDetails && {
      donor: donor && donorRecord(donor, true),
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

/** A fund as this interface shows one. */
export function fundRecord({ id, code, name, description, isActive, created }: Fund): object {
  return {
    id,
    code,
    name,
    description,
    isActive,
    dateCreated: writeDate(created),
    lastModified: writeDate(created),
  };
}
