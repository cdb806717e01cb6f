import { setImmediate } from 'node:timers/promises';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Tables } from '../database/schema.ts';
import type { Period } from '../lib/period.ts';

/**
 * Yields a sorted list in pages. Lets other work run after each query, because SQLite queries block
 * the event loop.
 * @param fetchPage returns at most `limit` rows after `last`, which is undefined for the first page.
 *   A page with fewer rows ends the list.
 * @param firstSize limit of the first page, for readers that may need only a few rows.
 */
export async function* iterateDatabasePages<Row>(
  fetchPage: (last: Row | undefined, limit: number) => Promise<readonly Row[]>,
  size: number,
  firstSize = size,
): AsyncGenerator<readonly Row[]> {
  let last: Row | undefined;
  for (let limit = firstSize; ; limit = size) {
    const rows = await fetchPage(last, limit);
    if (rows.length > 0) yield rows;
    if (rows.length < limit) return;
    last = rows.at(-1);
    await setImmediate();
  }
}

const PAGE_SIZE = 200;

/** An organization's lists, which are sorted by time, then by ID. */
const LISTS = {
  donations: { table: 'donations', time: 'createdAt', id: 'reference' },
  donationsWithDonorData: { table: 'donations', time: 'createdAt', id: 'reference' },
  renewals: { table: 'outbox', time: 'happenedAt', id: 'id' },
  renewalsByReference: { table: 'outbox', time: 'happenedAt', id: 'reference' },
  inboundWebhooks: { table: 'inboundWebhooks', time: 'receivedAt', id: 'id' },
} as const;

type ListName = keyof typeof LISTS;
type ListTable<Name extends ListName> = (typeof LISTS)[Name]['table'];
type ListRow<Name extends ListName> = Selectable<Tables[ListTable<Name>]>;

export type ListDatabase = Pick<Kysely<Tables>, 'selectFrom'>;

interface ListPosition {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly id: string;
}

export interface ListPageOptions {
  readonly organization: string;
  readonly period: Period;
  readonly size?: number;
  readonly firstSize?: number;
  readonly isNewestFirst?: boolean;
  /** Selects only donations of this donor, and their renewals. */
  readonly donorKey?: string | undefined;
  /** Selects only donations in a tribute about which a person with this key is notified. */
  readonly notifyKey?: string | undefined;
  /** Position before the first row. */
  readonly after?: ListPosition | undefined;
}

/** Each query starts after the last position, so later pages load as fast as the first page. */
export function iterateListPages<Name extends ListName>(
  db: ListDatabase,
  name: Name,
  options: ListPageOptions,
): AsyncGenerator<readonly ListRow<Name>[]> {
  const { organization, period, size = PAGE_SIZE, firstSize, isNewestFirst = false } = options;
  const { donorKey, notifyKey } = options;
  const { table, time, id } = LISTS[name];
  const [timeColumn, idColumn] = [sql.ref<number>(time), sql.ref<string>(id)];
  // The start and end are in reading order.
  const [order, afterOperator, fromOperator, endOperator, start, end] = isNewestFirst
    ? (['desc', '<', '<=', '>=', period.to, period.from] as const)
    : (['asc', '>', '>=', '<', period.from, period.to] as const);
  const first = options.after ?? { time: start, id: '' };
  const fetchPage = (last: ListRow<Name> | undefined, limit: number) => {
    const row = last as Readonly<Record<string, unknown>> | undefined;
    const after = row ? { time: row[time] as number, id: row[id] as string } : first;
    const query = db
      .selectFrom<ListTable<ListName>>(table)
      .selectAll()
      .$if(table !== 'outbox' || donorKey === undefined, (rows) =>
        rows.where('organization', '=', organization),
      )
      .where(timeColumn, fromOperator, after.time)
      .where(timeColumn, endOperator, end)
      .where((build) =>
        build.or([
          build(timeColumn, afterOperator, after.time),
          build(idColumn, afterOperator, after.id),
        ]),
      )
      .$if(table === 'outbox', (rows) => rows.where(sql.ref('kind'), '=', 'renewal'))
      // The condition on the parents selects the organization. A second one would make SQLite read
      // all of the organization's renewals.
      .$if(table === 'outbox' && donorKey !== undefined, (rows) =>
        rows.where(sql.ref('parentReference'), 'in', selectReferences(db, organization, donorKey!)),
      )
      .$if(table === 'donations' && donorKey !== undefined, (rows) =>
        rows.where(sql.ref('donorKey'), '=', donorKey),
      )
      .$if(notifyKey !== undefined, (rows) => rows.where(sql.ref('notifyKey'), '=', notifyKey))
      // Deleted donors have no keys, and with this condition, SQLite would not search by the key.
      .$if(name === 'donationsWithDonorData' && (donorKey ?? notifyKey) === undefined, (rows) =>
        rows.where(sql.ref('donorDeletedAt'), 'is', null),
      )
      .orderBy(timeColumn, order)
      .orderBy(idColumn, order)
      .limit(limit);
    return query.execute() as Promise<unknown> as Promise<readonly ListRow<Name>[]>;
  };
  return iterateDatabasePages(fetchPage, size, firstSize);
}

const selectReferences = (db: ListDatabase, organization: string, donorKey: string) =>
  db
    .selectFrom('donations')
    .select('reference')
    .where('organization', '=', organization)
    .where('donorKey', '=', donorKey);
