import type { Database } from '../database/database.ts';
import type { ReceiptData } from '../database/schema.ts';
import { sumAmounts } from '../lib/sum-amounts.ts';
import { iterateLedgerEntryPages } from '../reporting/ledger-entries.ts';
import { listReceiptsAbout } from './receipt-list.ts';
import { formatReceiptNumber, getReceiptNumber } from './receipt-number.ts';
import type { StatementPeriod } from './statement-period.ts';

/** A donation or renewal that a valid receipt confirms. */
export interface StatementLine {
  readonly reference: string;
  /** Time of the donation or renewal, in milliseconds since 1970. */
  readonly at: number;
  /** Such as `WEB-2026-000123`. */
  readonly receipt: string;
  readonly issuedAt: number;
  readonly language: string;
  readonly email: string | undefined;
  readonly data: ReceiptData;
}

export interface CurrencySum {
  readonly currency: string;
  readonly decimals: number;
  /** In minor units. */
  readonly amount: number;
}

export interface StatementOptions {
  readonly organization: string;
  readonly period: StatementPeriod;
  /** True to list test donations instead of real ones. */
  readonly isTest: boolean;
}

/** Between a donation and its payment, such as of a pledge. In milliseconds. */
const MAX_PAYMENT_DELAY = 366 * 86_400_000;

/**
 * Lists what a donor's valid receipts confirm, oldest first. The day on the receipt determines the
 * period: a bank debit of December that settles in January belongs to January.
 */
export async function listStatementLines(
  { db }: Pick<Database, 'db'>,
  donorKey: string,
  { organization, period, isTest }: StatementOptions,
): Promise<readonly StatementLine[]> {
  const lines: StatementLine[] = [];
  const [firstDay, lastDay] = [period.firstDay.toString(), period.lastDay.toString()];
  const accepted = { from: period.from - MAX_PAYMENT_DELAY, to: period.to };
  for await (const page of iterateLedgerEntryPages(db, organization, accepted, donorKey)) {
    const references = page.map(({ reference }) => reference);
    const receipts = new Map(
      (await listReceiptsAbout(db, references))
        .filter(({ status }) => status === 'issued')
        .map((receipt) => [receipt.reference, receipt]),
    );
    for (const { reference, createdAt: at, donation } of page) {
      const receipt = receipts.get(reference);
      const number = receipt && getReceiptNumber(receipt);
      if (!number || receipt.payload?.isTest !== isTest) continue;
      const { payload: data, issuedAt } = receipt;
      if (data.day < firstDay || data.day > lastDay) continue;
      const { form, donor } = donation.payload;
      const line = { reference, at, receipt: formatReceiptNumber(number), issuedAt: issuedAt! };
      lines.push({ ...line, language: form.language, email: donor.email, data });
    }
  }
  return lines.sort(
    (one, other) => one.data.day.localeCompare(other.data.day) || one.at - other.at,
  );
}

/** Sums by currency, in alphabetical order. */
export function sumLines(lines: readonly Pick<StatementLine, 'data'>[]): readonly CurrencySum[] {
  return [...Map.groupBy(lines, ({ data }) => data.currency)]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([currency, ofCurrency]) => ({
      currency,
      decimals: ofCurrency[0]!.data.decimals,
      amount: sumAmounts(ofCurrency.map(({ data }) => data.amount)),
    }));
}
