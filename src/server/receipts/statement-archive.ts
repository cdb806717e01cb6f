import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { toMajorUnits } from '@donation-form/core/money';
import type { Database } from '../database/database.ts';
import type { CsvRow } from '../reporting/csv.ts';
import { iterateDatabasePages } from '../reporting/iterate-pages.ts';
import type { ReceiptDocument } from './receipt-document.ts';
import { FILE_EXTENSIONS } from './receipt-file.ts';
import type { RenderedReceipt } from './render-receipt.ts';
import { createStatement, type StatementIssuer } from './statement.ts';
import {
  listStatementLines,
  type StatementLine,
  type StatementOptions,
  sumLines,
} from './statement-lines.ts';
import {
  formatStatementYear,
  type StatementPeriod,
  type StatementYear,
} from './statement-period.ts';
import { formatIndex, streamZip } from './zip-writer.ts';

export interface StatementArchiveOptions extends StatementOptions, StatementIssuer {
  readonly period: StatementPeriod;
  readonly statementYear: StatementYear;
  readonly render: (document: ReceiptDocument) => Promise<RenderedReceipt>;
  /** In milliseconds since 1970. */
  readonly now: number;
}

const PAGE_SIZE = 200;

/** Creates a zip with the statements of all donors and a list of them, while it is read. */
export function streamStatementArchive(
  database: Pick<Database, 'db'>,
  options: StatementArchiveOptions,
): Promise<Readable> {
  const { now: modifiedAt, render, period, statementYear } = options;
  const year = formatStatementYear(statementYear);
  return streamZip(async (addFile, stream) => {
    const rows: CsvRow[] = [];
    for await (const donorKey of iterateDonorKeys(database, options)) {
      if (stream.destroyed) return;
      const lines = await listStatementLines(database, donorKey, options);
      if (lines.length === 0) continue;
      const statement = createStatement(lines, period, options, modifiedAt);
      const { mediaType, content } = await render(statement);
      const name = `statement-${year}-${donorKey}.${FILE_EXTENSIONS[mediaType]}`;
      rows.push(...toRows(lines, name));
      await addFile({ name, modifiedAt, content });
    }
    const content = await formatIndex(rows, STATEMENT_LIST);
    void addFile({ name: `statements-${year}.csv`, modifiedAt, content });
  });
}

/** Lets other work run before each donor, because SQLite queries block the event loop. */
async function* iterateDonorKeys(
  { db }: Pick<Database, 'db'>,
  { organization, period }: StatementOptions,
): AsyncGenerator<string> {
  const pages = iterateDatabasePages(
    (last: { readonly donorKey: string | null } | undefined, limit) =>
      db
        .selectFrom('donations')
        .select('donorKey')
        .where('organization', '=', organization)
        // Donations without an email have an empty key.
        .where('donorKey', '>', last?.donorKey ?? '')
        .where('createdAt', '<', period.to)
        .groupBy('donorKey')
        .orderBy('donorKey')
        .limit(limit)
        .execute(),
    PAGE_SIZE,
  );
  for await (const page of pages)
    for (const { donorKey } of page) {
      await setImmediate();
      yield donorKey!;
    }
}

const STATEMENT_LIST = {
  columns: ['donor', 'email', 'address', 'donations', 'amount', 'currency', 'file'],
  numberColumns: ['amount'],
};

/** One row per currency. */
function toRows(lines: readonly StatementLine[], file: string): readonly CsvRow[] {
  const { email = '', data } = lines.at(-1)!;
  return sumLines(lines).map(({ currency, decimals, amount }) => ({
    donor: data.donor?.name ?? '',
    email,
    address: data.donor?.addressLines.join(', ') ?? '',
    donations: String(lines.filter((line) => line.data.currency === currency).length),
    amount: toMajorUnits(amount, decimals),
    currency,
    file,
  }));
}
