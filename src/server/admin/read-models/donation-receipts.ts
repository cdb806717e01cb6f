import type { Kysely } from 'kysely';
import type { Tables } from '../../database/schema.ts';
import type { DonationHistory } from '../../donations/review-options.ts';
import type { Organization } from '../../organizations/organization.ts';
import { listReceiptsAbout, type NumberedReceipt } from '../../receipts/receipt-list.ts';
import { formatReceiptNumber, getReceiptNumber } from '../../receipts/receipt-number.ts';
import type { Receipt } from '../../receipts/receipt-plan.ts';
import { isInTestMode } from './income-cache.ts';
import { removeErrorName } from './labels.ts';
import { toReceiptSummary } from './receipt-list.ts';

export type DonationReceipts = Awaited<ReturnType<typeof loadDonationReceipts>>;
export type DonationReceipt = DonationReceipts['items'][number];

/** Loads the receipts of a donation and its renewals, newest first. */
export async function loadDonationReceipts(
  db: Kysely<Tables>,
  { donation, events }: DonationHistory,
  organization: Organization | undefined,
) {
  const renewals = events.filter(({ kind }) => kind === 'renewal');
  const references = [donation, ...renewals].map(({ reference }) => reference);
  const rows = await listReceiptsAbout(db, references);
  const due = rows.filter(({ status }) => status === 'due');
  const receipts = rows.filter(isNumbered).toReversed();
  const isTestStatement = organization && isInTestMode(organization);
  const items = receipts.map((receipt) => toDonationReceipt(receipt, receipts));
  return {
    items,
    due: due.map(({ reference, lastError }) => ({
      reference,
      lastError: removeErrorName(lastError),
    })),
    /** Years with a statement, newest first. */
    statementYears: [
      ...new Set(
        items
          .filter(({ status, isTest }) => status === 'issued' && isTest === isTestStatement)
          .map(({ day }) => Number(day.slice(0, 4))),
      ),
    ].sort((one, other) => other - one),
  };
}

function isNumbered(receipt: Receipt): receipt is NumberedReceipt {
  return getReceiptNumber(receipt) !== undefined;
}

function toDonationReceipt(receipt: NumberedReceipt, receipts: readonly NumberedReceipt[]) {
  const formatNumberOf = (other: NumberedReceipt | undefined): string | undefined =>
    other && formatReceiptNumber(other);
  const { addressLines = [] } = receipt.payload.donor ?? {};
  return {
    ...toReceiptSummary(receipt),
    addressLines,
    replaces: formatNumberOf(receipts.find(({ id }) => id === receipt.replaces)),
    replacedBy: formatNumberOf(receipts.find(({ replaces }) => replaces === receipt.id)),
    correction: receipt.payload.correction,
    /** True unless a later receipt of the same donation or renewal exists. */
    isLatest: receipts.find(({ reference }) => reference === receipt.reference) === receipt,
  };
}
