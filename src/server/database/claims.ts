import type { ExpressionBuilder, Selectable } from 'kysely';
import type { Database } from './database.ts';
import { type DatabaseClock, evaluateOncePerStatement, NEVER } from './database-clock.ts';
import type { Tables } from './schema.ts';
import { OLDEST_FIRST } from './unfinished-work.ts';

/** In milliseconds. Longer than any call that the server makes while it holds the lock. */
export const LOCK_DURATION = 60_000;
/** Rows scheduled further ahead mean that the clock was wrong. In milliseconds. */
const MAX_DELAY = 86_400_000;

/** Order in which workers handle the rows of a table. */
const WORK_ORDER = {
  donations: [OLDEST_FIRST],
  inboundWebhooks: ['receivedAt', 'id'],
  webhookMessages: ['createdAt', 'id'],
  mailMessages: ['createdAt', 'id'],
  receipts: ['createdAt', 'id'],
} as const;

/** Table with rows that workers handle. */
type WorkTable = keyof typeof WORK_ORDER | 'outbox';
type WorkRow<Name extends WorkTable> = Selectable<Tables[Name]>;

/** Values of columns, or nonempty lists of possible values. */
type WorkCriteria<Name extends WorkTable> = {
  readonly [
    Column in 'organization' | 'status' | 'source' | 'url' | 'kind' as Column & keyof WorkRow<Name>
  ]?:
    | WorkRow<Name>[Column & keyof WorkRow<Name>]
    | readonly WorkRow<Name>[Column & keyof WorkRow<Name>][];
};

export function selectRows<Name extends WorkTable>(
  { db }: Database,
  table: Name,
  criteria: WorkCriteria<Name>,
) {
  // The columns below have the same types in all of the tables.
  return db
    .selectFrom(table as 'outbox')
    .where((build) =>
      build.and(
        Object.entries(criteria as Record<string, string | readonly string[]>).map(
          ([column, value]) =>
            typeof value === 'string'
              ? build(column as 'id', '=', value)
              : build(column as 'id', 'in', value),
        ),
      ),
    );
}

export function selectDueRows<Name extends WorkTable>(
  database: Database,
  table: Name,
  criteria: WorkCriteria<Name>,
) {
  return selectRows(database, table, criteria).where((build) =>
    buildIsTimePastCondition(build, database.clock, 'nextRunAt'),
  );
}

/** In processing order. */
export function listDueRows<Name extends keyof typeof WORK_ORDER>(
  database: Database,
  table: Name,
  criteria: WorkCriteria<Name>,
  limit: number,
): Promise<WorkRow<Name>[]> {
  let query = selectDueRows(database, table, criteria).selectAll().limit(limit);
  for (const column of WORK_ORDER[table]) query = query.orderBy(column as 'id');
  return query.execute() as Promise<unknown> as Promise<WorkRow<Name>[]>;
}

/** In milliseconds since 1970. Returns `undefined` if no row meets the criteria. */
export async function findNextDueTime<Name extends WorkTable>(
  database: Database,
  table: Name,
  criteria: WorkCriteria<Name>,
): Promise<number | undefined> {
  const { due } = await selectRows(database, table, criteria)
    .select(({ fn }) => fn.min<number | null>('nextRunAt').as('due'))
    .executeTakeFirstOrThrow();
  return due ?? undefined;
}

/**
 * @param columns to change in the claimed row.
 * @returns the claimed row, or `undefined` if it has changed or another server has claimed it.
 */
export function claimRow<Name extends Exclude<WorkTable, 'donations' | 'receipts'>>(
  { db, clock }: Pick<Database, 'db' | 'clock'>,
  table: Name,
  { id, nextRunAt: dueAt }: { readonly id: string; readonly nextRunAt: number },
  columns: Partial<WorkRow<Name>> = {},
): Promise<WorkRow<Name> | undefined> {
  const until = clock.in(LOCK_DURATION);
  const claimed = db
    .updateTable(table as 'outbox')
    .set({ ...columns, nextRunAt: until, ...(table === 'outbox' && { lockedUntil: until }) })
    .where('id', '=', id)
    .where('nextRunAt', '=', dueAt)
    .where('status', '=', 'pending')
    .returningAll()
    .executeTakeFirst();
  return claimed as Promise<unknown> as Promise<WorkRow<Name> | undefined>;
}

/** Selects rows without a valid claim. */
export const buildIsUnclaimedCondition = <Name extends 'donations' | 'outbox'>(
  build: ExpressionBuilder<Tables, Name>,
  clock: DatabaseClock,
) => buildIsTimePastCondition(build, clock, 'lockedUntil');

function buildIsTimePastCondition<Name extends keyof Tables>(
  build: ExpressionBuilder<Tables, Name>,
  clock: DatabaseClock,
  column: 'nextRunAt' | 'lockedUntil',
) {
  const row = build as unknown as ExpressionBuilder<Tables, 'donations'>;
  return row.and([
    // Lets the database skip the rows that are never due, such as pledges, in the index.
    row(column, '<', NEVER),
    row.or([
      row(column, '<=', evaluateOncePerStatement(clock.in(0))),
      row(column, '>', evaluateOncePerStatement(clock.in(MAX_DELAY))),
    ]),
  ]);
}
