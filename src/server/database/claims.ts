import type { ExpressionBuilder } from 'kysely';
import type { Database } from './database.ts';
import { type DatabaseClock, evaluateOncePerStatement } from './database-clock.ts';
import type { Tables } from './schema.ts';

/** Value of `nextRunAt` for rows that no worker handles, such as pledges. */
export const NEVER = 8_640_000_000_000_000;
/** In milliseconds. Longer than any call that the server makes while it holds the lock. */
export const LOCK_DURATION = 60_000;
/** Rows scheduled further ahead mean that the clock was wrong. In milliseconds. */
const MAX_DELAY = 86_400_000;

type WebhookTable = 'inboundWebhooks' | 'webhookMessages';

/** @returns `undefined` if the row has changed or another server has claimed it. */
export function claimWebhook<Name extends WebhookTable>(
  { db, clock }: Database,
  { table, row }: { readonly table: Name; readonly row: Tables[Name] },
): Promise<Tables[Name] | undefined> {
  const claimed = db
    .updateTable<WebhookTable>(table)
    .set({ nextRunAt: clock.in(LOCK_DURATION) })
    .where('id', '=', row.id)
    .where('nextRunAt', '=', row.nextRunAt)
    .where('status', '=', 'pending')
    .returningAll()
    .executeTakeFirst();
  return claimed as Promise<Tables[Name] | undefined>;
}

export const buildIsDueCondition = <Name extends 'donations' | 'outbox' | WebhookTable>(
  build: ExpressionBuilder<Tables, Name>,
  clock: DatabaseClock,
) => buildIsTimePastCondition(build, clock, 'nextRunAt');

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
