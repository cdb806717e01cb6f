import type { ReceiptConfiguration } from '../../../src/core/schemas/receipt-configuration.ts';
import { formatReceiptNumber } from '../../../src/server/receipts/receipt-number.ts';
import type { Receipt } from '../../../src/server/receipts/receipt-plan.ts';
import type { TestServer } from '../support.ts';
import { waitForDatabaseClock } from '../test-database.ts';

export const neutralReceipts: ReceiptConfiguration = {
  template: 'neutral',
  issuer: { name: 'Lanternwell, Inc.', address: ['1 Harbor Road', 'Portland, OR 97201'] },
  series: 'WEB',
  pdf: false,
};

export const usReceipts: ReceiptConfiguration = {
  ...neutralReceipts,
  template: 'us',
  reviewedBy: 'Maria Example',
  issuer: { ...neutralReceipts.issuer, taxId: '12-3456789' },
  keepYears: 7,
};

/** Handles all due rows. */
export async function issueReceipts({
  database,
  receipts,
}: Pick<TestServer, 'database' | 'receipts'>): Promise<void> {
  await waitForDatabaseClock(database);
  await receipts.issueDueReceipts(AbortSignal.timeout(60_000));
}

/** In the order of series, number, and event. */
export function listReceipts({ database }: TestServer): Promise<Receipt[]> {
  return database.db
    .selectFrom('receipts')
    .selectAll()
    .orderBy('series')
    .orderBy('number')
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

/** Describes the receipts with a number, such as `WEB-2026-000001 issued 5000`. */
export async function describeReceipts(server: TestServer): Promise<readonly string[]> {
  return (await listReceipts(server))
    .filter(({ number }) => number !== null)
    .map(
      (row) =>
        `${formatReceiptNumber(row)} ${row.status}${row.voidReason === null ? '' : ` by ${row.voidReason}`} ${row.payload!.amount}`,
    );
}

/** Reads a receipt's document. */
export async function readReceipt(server: TestServer, { id }: Receipt): Promise<string> {
  const { content } = await server.database.db
    .selectFrom('receiptFiles')
    .select('content')
    .where('receipt', '=', id)
    .executeTakeFirstOrThrow();
  return Buffer.from(content).toString();
}
