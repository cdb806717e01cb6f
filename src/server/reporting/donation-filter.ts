import { type DonationStatus, PaymentMethodType } from '@donation-form/core/donation';
import { isEmail } from '@donation-form/core/donor';
import { parseTypedAmount, removeCurrencySigns } from '@donation-form/core/money';
import type { Database } from '../database/database.ts';
import type { Donation } from '../database/schema.ts';
import { findDonorKey } from '../donations/donor-index.ts';
import { getDonationTotal } from '../donations/total.ts';
import { isSameEmail } from '../lib/normalize-email.ts';
import type { ListDatabase } from './iterate-pages.ts';
import { getDonationStatus, type LedgerEntry, sumRefundsByReference } from './ledger-entries.ts';

/**
 * Statuses for filtering lists of donations. `promised`: a pledge. `settling`: an unsettled bank
 * debit. `outstanding`: either. `unfinished`: the donor or the provider has not finished the
 * payment. `retrying` and `suspended`: the first donation of a subscription whose renewals fail.
 */
export const FILTER_STATUSES = [
  'received',
  'outstanding',
  'promised',
  'settling',
  'unfinished',
  'failed',
  'needs-review',
  'refunded',
  'disputed',
  'retrying',
  'suspended',
] as const;
export type FilterStatus = (typeof FILTER_STATUSES)[number];

/** Payment methods for filtering. `offline`: a pledge. */
export const FILTER_METHODS = ['card', 'bank', 'wallet', 'paypal', 'offline'] as const;
export type FilterMethod = (typeof FILTER_METHODS)[number];

/** Conditions for each donation in a list. Undefined conditions are ignored. */
export interface DonationFilter {
  readonly status?: FilterStatus | undefined;
  readonly form?: string | undefined;
  readonly frequency?: 'once' | 'recurring' | undefined;
  readonly method?: FilterMethod | undefined;
  /** False for those that should be on the platform but are not. */
  readonly isOnPlatform?: boolean | undefined;
  /** Beginnings of words in a name or email, a whole email, a reference, an ID, or an amount. */
  readonly search?: string | undefined;
}

export type FilteredEntry = Pick<LedgerEntry, 'reference' | 'donation' | 'renewal'>;
export type EntryMatcher = (entry: FilteredEntry) => boolean;

/** @param refunds the organization's refund totals by reference, if already loaded. */
export async function createEntryMatcher(
  db: ListDatabase,
  organization: string,
  filter: DonationFilter,
  refunds?: ReadonlyMap<string, number>,
): Promise<EntryMatcher> {
  const { status, search } = filter;
  const references = refunds ?? (await listReferencesWithStatus(db, organization, status));
  const matchesSearch = search === undefined ? () => true : createSearchMatcher(search);
  return (entry) =>
    matchesDetails(entry, filter) &&
    (references ? references.has(entry.reference) : !status || hasStatus(entry, status)) &&
    matchesSearch(entry);
}

/** Lists references for the statuses `refunded` and `disputed`, which only the events show. */
async function listReferencesWithStatus(
  db: ListDatabase,
  organization: string,
  status: FilterStatus | undefined,
): Promise<{ has(reference: string): boolean } | undefined> {
  if (status === 'refunded') return sumRefundsByReference(db, organization);
  if (status !== 'disputed') return undefined;
  const rows = await db
    .selectFrom('outbox')
    .select('reference')
    .where((build) => build.and({ organization, kind: 'dispute_opened' }))
    .execute();
  return new Set(rows.map(({ reference }) => reference));
}

function hasStatus(entry: FilteredEntry, status: FilterStatus): boolean {
  if (status === 'retrying' || status === 'suspended')
    return !entry.renewal && entry.donation.subscriptionStatus === status;
  const donationStatus = getDonationStatus(entry);
  if (status === 'outstanding') return donationStatus === 'processing';
  if (status === 'promised' || status === 'settling')
    return (
      donationStatus === 'processing' &&
      (entry.donation.awaiting === 'donor') === (status === 'promised')
    );
  return STATUSES[donationStatus] === status;
}

const STATUSES: Readonly<Record<DonationStatus, FilterStatus>> = {
  succeeded: 'received',
  processing: 'settling',
  failed: 'failed',
  needs_review: 'needs-review',
  unconfirmed: 'unfinished',
  requires_action: 'unfinished',
};

function matchesDetails(
  entry: FilteredEntry,
  { form, frequency, method, isOnPlatform }: DonationFilter,
): boolean {
  const { gift, form: donationForm } = entry.donation.payload;
  return (
    (form === undefined || donationForm.id === form) &&
    (frequency === undefined || (gift.frequency === 'once') === (frequency === 'once')) &&
    (method === undefined || getMethod(entry.donation) === method) &&
    (isOnPlatform === undefined || matchesPlatform(entry, isOnPlatform))
  );
}

function matchesPlatform(entry: FilteredEntry, isOnPlatform: boolean): boolean {
  const isRecorded = getPlatformGiftId(entry) !== null;
  if (isOnPlatform) return isRecorded;
  const status = getDonationStatus(entry);
  return !isRecorded && ['succeeded', 'processing', 'needs_review'].includes(status);
}

/** Returns `null` if the platform's gift ID is unknown. */
export function getPlatformGiftId({ donation, renewal }: FilteredEntry): string | null {
  return (renewal ?? donation).platformGiftId;
}

export const METHOD_BY_TYPE: Readonly<Partial<Record<number, FilterMethod>>> = {
  [PaymentMethodType.CreditCard]: 'card',
  [PaymentMethodType.ACH]: 'bank',
  [PaymentMethodType.Wallet]: 'wallet',
};

/** Uses the requested method only if the payment provider has not reported one. */
export function getMethod({ paymentMethod: reported, payload }: Donation): FilterMethod {
  const { provider, method } = payload.payment;
  if (provider === 'offline' || provider === 'paypal') return provider;
  return METHOD_BY_TYPE[(reported ?? method) as PaymentMethodType]!;
}

/**
 * Matches if each word matches the donor, or if the whole text is a reference, an ID, or the exact
 * amount. A word that is an email matches only that email. Any other word matches the start of a
 * word in the donor's name or email.
 */
function createSearchMatcher(search: string): EntryMatcher {
  const text = search.trim();
  const words = splitWords(text).map((word) => (isEmail(word) ? word : foldText(word)));
  return (entry) => {
    const { donor } = entry.donation.payload;
    const { firstName, lastName, organization, email } = donor;
    const names = foldText([firstName, lastName, organization, email].filter(Boolean).join(' '));
    return (
      words.every((word) =>
        isEmail(word) ? isSameEmail(email, word) : hasWordStart(names, word),
      ) ||
      listIds(entry).includes(text) ||
      hasAmount(entry, text)
    );
  };
}

const splitWords = (search: string): string[] => search.trim().split(/\s+/);

/**
 * Returns the key of the donor whose email the search contains.
 * @returns `undefined` without an email, or if all donations must be read to find the email.
 */
export async function findSearchedDonorKey(
  database: Database,
  organization: string,
  { search = '' }: DonationFilter,
): Promise<string | undefined> {
  const email = splitWords(search).find(isEmail);
  return email === undefined ? undefined : findDonorKey(database, organization, email);
}

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** For example, `jean-luc` contains the words `jean` and `luc`. */
function hasWordStart(text: string, start: string): boolean {
  for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at + 1))
    if (!LETTER_OR_DIGIT.test(text[at - 1] ?? '') || !LETTER_OR_DIGIT.test(start[0]!)) return true;
  return false;
}

function foldText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
}

function listIds(entry: FilteredEntry): string[] {
  const { reference, donation, renewal } = entry;
  const ids = [
    reference,
    donation.reference,
    (renewal ?? donation).paymentId,
    donation.subscriptionId,
    getPlatformGiftId(entry),
  ];
  return ids.filter((id) => id !== null).map(String);
}

function hasAmount({ donation, renewal }: FilteredEntry, text: string): boolean {
  const { total, currency, decimals } = getDonationTotal(donation, renewal);
  const amount = parseTypedAmount(text, { code: currency, decimals }, { removeCurrencySigns });
  if (amount === undefined) return false;
  return amount === total || (!renewal && amount === donation.payload.gift.amount);
}
