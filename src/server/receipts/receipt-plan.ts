import type { Kysely, Selectable } from 'kysely';
import { Temporal } from 'temporal-polyfill';
import type { GiftAidScope } from '@donation-form/core/donation';
import { findLanguage } from '@donation-form/core/i18n';
import type { Donation, ReceiptData, ReceiptRow, Tables } from '../database/schema.ts';
import { loadDeclarations } from '../donations/gift-aid-declarations.ts';
import { formatLocalDay } from '../lib/period.ts';
import type { Organization } from '../organizations/organization.ts';
import { listCoveringDeclarations, mayBeClaimed } from '../reporting/gift-aid-payments.ts';
import { loadPaidGift, type PaidGift } from './paid-gift.ts';
import { TEST_SERIES } from './receipt-number.ts';
import { getReceiptTemplate } from './templates/index.ts';

export type Receipt = Selectable<ReceiptRow>;

/** A receipt to issue. */
export interface NewNumberedReceipt {
  readonly series: string;
  readonly year: number;
  readonly number: number;
  readonly template: string;
  /** In milliseconds since 1970. Undefined if the receipt can be erased with the donor's data. */
  readonly keepUntil: number | undefined;
  readonly data: ReceiptData;
  readonly replaced: Pick<Receipt, 'id' | 'series' | 'year' | 'number'> | undefined;
  readonly gift: PaidGift;
  /** Scope of the Gift Aid declaration that covers the gift, if any. */
  readonly giftAid: GiftAidScope | undefined;
}

/** What to do about a due row. Without a change, no receipt is needed. */
export interface ReceiptPlan {
  /** ID of the receipt that is no longer valid. */
  readonly voided?: string | undefined;
  readonly issued?: NewNumberedReceipt | undefined;
}

/** Returns true if the staff asked for a new receipt, even if the amount is the same. */
export function isCorrection({ id }: Pick<Receipt, 'id'>): boolean {
  return id.startsWith('correction ');
}

/**
 * Compares what is paid now with the valid receipt.
 * @param at time of issue, in milliseconds since 1970.
 * @returns `undefined` if the row is no longer due.
 */
export async function planReceipt(
  db: Kysely<Tables>,
  {
    id,
    reference,
    organization: organizationId,
  }: Pick<Receipt, 'id' | 'reference' | 'organization'>,
  { receipts: settings, timeZone }: Pick<Organization, 'receipts' | 'timeZone'>,
  { at, locks }: { readonly at: number; readonly locks: boolean },
): Promise<ReceiptPlan | undefined> {
  const gift = await loadPaidGift(db, reference, { locksDonation: locks });
  const receipts = await db
    .selectFrom('receipts')
    .selectAll()
    .where('reference', '=', reference)
    .orderBy('issuedAt')
    .orderBy('id')
    .execute();
  if (!settings || receipts.find((row) => row.id === id)?.status !== 'due') return undefined;
  const valid = receipts.find(({ status }) => status === 'issued');
  const isDeleted = gift.donation.donorDeletedAt !== null;
  const isSame = gift.amountPaid === (valid?.payload?.amount ?? 0);
  if (isSame && (isDeleted || !valid || !isCorrection({ id }))) return {};
  // A receipt without a name would confirm nothing.
  if (gift.amountPaid === 0 || isDeleted) return { voided: valid?.id };
  const { isTest } = gift.donation.payload;
  const series = isTest ? TEST_SERIES : settings.series;
  const year = Number(formatLocalDay(at, timeZone).slice(0, 4));
  const last = await db
    .selectFrom('receiptSeries')
    .select('lastNumber')
    .where((build) => build.and({ organization: organizationId, series, year }))
    .executeTakeFirst();
  const replaced = valid ?? receipts.findLast(({ status }) => status === 'void');
  return {
    voided: valid?.id,
    issued: {
      series,
      year,
      number: (last?.lastNumber ?? 0) + 1,
      template: getReceiptTemplate(settings.template).version,
      keepUntil:
        settings.keepYears === undefined
          ? undefined
          : getStartOfYear(year + settings.keepYears + 1, timeZone),
      data: applyCorrection(createReceiptData(gift, timeZone), receipts, id),
      giftAid: settings.template === 'uk' ? await findGiftAidScope(db, gift) : undefined,
      replaced: replaced && {
        id: replaced.id,
        series: replaced.series,
        year: replaced.year,
        number: replaced.number,
      },
      gift,
    },
  };
}

/**
 * Adds the donor that the staff entered last.
 * @param receipts of the gift, oldest first.
 * @param id of the row that causes the receipt.
 */
function applyCorrection(data: ReceiptData, receipts: readonly Receipt[], id: string): ReceiptData {
  const corrections = receipts
    .filter(isCorrection)
    .toSorted((one, other) => one.createdAt - other.createdAt);
  const { donor } = corrections.at(-1)?.payload ?? {};
  const { correction } = receipts.find((row) => row.id === id)?.payload ?? {};
  return { ...data, ...(donor && { donor }), ...(correction && { correction }) };
}

async function findGiftAidScope(
  db: Kysely<Tables>,
  { donation, renewal, paidAt }: PaidGift,
): Promise<GiftAidScope | undefined> {
  if (!mayBeClaimed(donation)) return undefined;
  const declarations = await loadDeclarations(db, [donation]);
  const payment = { isRenewal: renewal !== undefined, paidAt };
  return listCoveringDeclarations(donation, payment, declarations)[0]?.scope;
}

function getStartOfYear(year: number, timeZone: string): number {
  return Temporal.PlainDate.from({ year, month: 1, day: 1 }).toZonedDateTime(timeZone)
    .epochMilliseconds;
}

export function createReceiptData(
  { donation: { payload }, amountPaid, paidAt }: PaidGift,
  timeZone: string,
): ReceiptData {
  return {
    day: formatLocalDay(paidAt, timeZone),
    language: findLanguage(payload.form.language) ?? 'en',
    currency: payload.gift.currency,
    decimals: payload.decimals,
    amount: amountPaid,
    isTest: payload.isTest,
    // Anybody can make a test donation with another person's email.
    ...(!payload.isTest && { donor: getDonor(payload) }),
  };
}

function getDonor({ donor }: Donation['payload']): NonNullable<ReceiptData['donor']> {
  const { firstName, lastName, organization, ...address } = donor;
  const { address1, address2, city, state, postal, country } = address;
  const join = (...parts: readonly (string | undefined)[]): string =>
    parts
      .filter((part) => part !== undefined && part !== '')
      .join(' ')
      // More would cover the lines above.
      .replace(/(\p{M}{3})\p{M}+/gu, '$1');
  const person = join(firstName, lastName);
  return {
    name: organization ?? person,
    addressLines: [
      organization === undefined ? '' : person,
      join(address1),
      join(address2),
      [join(city), join(state, postal)].filter((part) => part !== '').join(', '),
      join(country),
    ].filter((line) => line !== ''),
  };
}
