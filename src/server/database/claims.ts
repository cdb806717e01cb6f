import type { ExpressionBuilder, Kysely } from 'kysely';
import type { Tables } from './schema.ts';

/** `next_run_at` of rows that no worker handles, such as pledges. */
export const NEVER = 8_640_000_000_000_000;
/** How long a claimed row stays locked, in milliseconds. Longer than the calls made for it. */
export const LOCK_DURATION = 60_000;
/** No row is ever scheduled further ahead than this, in milliseconds. */
const MAX_DELAY = 86_400_000;

/** Matches rows that are due, or scheduled so far ahead that the clock must have been wrong. */
export function isDue<
  Name extends 'donations' | 'outbox' | 'inbound_webhooks' | 'webhook_messages',
>(build: ExpressionBuilder<Tables, Name>, now: number) {
  return isPast(build, 'next_run_at', now);
}

/** Matches rows without a valid claim, by the same rule as {@link isDue}. */
export function isUnclaimed<Name extends 'donations' | 'outbox'>(
  build: ExpressionBuilder<Tables, Name>,
  now: number,
) {
  return isPast(build, 'locked_until', now);
}

type WebhookTable = 'inbound_webhooks' | 'webhook_messages';

/**
 * Claims a due webhook for this server by moving its `next_run_at` into the future.
 * @returns the current row, or `undefined` if it changed or another server has it.
 */
export function claimWebhook<Name extends WebhookTable>(
  db: Kysely<Tables>,
  { table, row, now }: { readonly table: Name; readonly row: Tables[Name]; readonly now: number },
): Promise<Tables[Name] | undefined> {
  const claimed = db
    .updateTable<WebhookTable>(table)
    .set({ next_run_at: now + LOCK_DURATION })
    .where('id', '=', row.id)
    .where('next_run_at', '=', row.next_run_at)
    .where('status', '=', 'pending')
    .returningAll()
    .executeTakeFirst();
  return claimed as Promise<Tables[Name] | undefined>;
}

function isPast<Name extends keyof Tables>(
  build: ExpressionBuilder<Tables, Name>,
  column: 'next_run_at' | 'locked_until',
  now: number,
) {
  const row = build as unknown as ExpressionBuilder<Tables, 'donations'>;
  return row.or([
    row(column, '<=', now),
    row.and([row(column, '>', now + MAX_DELAY), row(column, '<', NEVER)]),
  ]);
}
