import type { Database } from '../database/database.ts';
import type { ReceiptData } from '../database/schema.ts';
import type { Period } from '../lib/period.ts';
import { sumAmounts } from '../lib/sum-amounts.ts';
import { iterateLedgerEntryPages } from '../reporting/ledger-entries.ts';
import { listReceiptsAbout } from './receipt-list.ts';
import { formatReceiptNumber, getReceiptNumber } from './receipt-number.ts';

/** A donation or renewal that a valid receipt confirms. */
export interface StatementLine {
  readonly reference: string;
  /** Milliseconds since 1970. Determines the period, as in reports and exports. */
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
  readonly period: Period;
  /** True to list test donations instead of real ones. */
  readonly isTest: boolean;
}

/** Lists what a donor's valid receipts confirm, oldest first. */
export async function listStatementLines(
  { db }: Pick<Database, 'db'>,
  donorKey: string,
  { organization, period, isTest }: StatementOptions,
): Promise<readonly StatementLine[]> {
  const lines: StatementLine[] = [];
  for await (const page of iterateLedgerEntryPages(db, organization, period, donorKey)) {
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
      const { form, donor } = donation.payload;
      const line = { reference, at, receipt: formatReceiptNumber(number), issuedAt: issuedAt! };
      lines.push({ ...line, language: form.language, email: donor.email, data });
    }
  }
  return lines.sort((one, other) => one.at - other.at);
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
