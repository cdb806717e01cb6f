import type { Database } from '../../../src/server/database/database.ts';
import type { ReceiptData, ReceiptStatus } from '../../../src/server/database/schema.ts';

/** A receipt to save as the server would have issued it. */
export interface AddedReceipt {
  readonly organization?: string;
  readonly series?: string;
  readonly number?: number;
  readonly year?: number;
  readonly status?: Extract<ReceiptStatus, 'issued' | 'void'>;
  readonly issuedAt?: number;
  readonly voidReason?: string;
  readonly replaces?: string;
  readonly content?: Uint8Array;
  readonly mediaType?: 'application/pdf' | 'text/html';
  readonly data?: Partial<ReceiptData>;
}

/** Saves a receipt with the next number, its file, and the counter, and returns its ID. */
export async function addReceipt(
  { writer }: Pick<Database, 'writer'>,
  reference: string,
  {
    organization = 'lanternwell',
    series = 'WEB',
    number = 1,
    year = 2026,
    status = 'issued',
    issuedAt = Date.UTC(year, 10, 24),
    voidReason = 'refund',
    replaces,
    content = new TextEncoder().encode(`<p>Receipt ${number}</p>`),
    mediaType = 'text/html',
    data,
  }: AddedReceipt = {},
): Promise<string> {
  const id = `receipt ${organization} ${series} ${year} ${number}`;
  const payload: ReceiptData = {
    day: '2026-11-24',
    language: 'en',
    currency: 'USD',
    decimals: 2,
    amount: 5_000,
    isTest: false,
    donor: { name: 'Ana Silva', addressLines: ['1 Main Street', 'Springfield'] },
    ...data,
  };
  await writer.write(async (transaction) => {
    await transaction
      .insertInto('receipts')
      .values({
        id,
        organization,
        reference,
        status,
        series,
        year,
        number,
        template: 'neutral@1',
        payload: JSON.stringify(payload),
        hash: 'hash',
        replaces: replaces ?? null,
        issuedAt,
        voidedAt: status === 'void' ? issuedAt : null,
        voidReason: status === 'void' ? voidReason : null,
        attempts: 0,
        nextRunAt: Number.MAX_SAFE_INTEGER,
        lastError: null,
        createdAt: issuedAt + number,
        updatedAt: issuedAt,
      })
      .execute();
    await transaction
      .insertInto('receiptFiles')
      .values({ receipt: id, mediaType, content })
      .execute();
    await transaction
      .insertInto('receiptSeries')
      .values({ organization, series, year, lastNumber: number })
      .onConflict((conflict) =>
        conflict.columns(['organization', 'series', 'year']).doUpdateSet({
          lastNumber: number,
        }),
      )
      .execute();
  });
  return id;
}
