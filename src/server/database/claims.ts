import type { ExpressionBuilder } from 'kysely';
import type { Tables } from './schema.ts';

/** Until when a promised gift is not asked about: no processor knows of it. */
export const NEVER = 8_640_000_000_000_000;
/**
 * How long a drain goes on, in seconds, where nobody says otherwise: it fits into a schedule of one
 * a minute.
 */
export const DRAIN_SECONDS = 50;
/** Nothing else is ever due later than in so many milliseconds. */
const LATEST_DUE = 86_400_000;

/**
 * Whether a row is due; also where that is so far ahead that the clock was wrong when it was
 * written.
 */
export function isDue<
  Name extends 'donations' | 'outbox' | 'inbound_webhooks' | 'webhook_messages',
>(build: ExpressionBuilder<Tables, Name>, now: number) {
  return isPast(build, 'next_run_at', now);
}

/** Whether nobody is working on a row, by {@link isDue}'s rule. */
export function isUnclaimed<Name extends 'donations' | 'outbox'>(
  build: ExpressionBuilder<Tables, Name>,
  now: number,
) {
  return isPast(build, 'locked_until', now);
}

function isPast<Name extends keyof Tables>(
  build: ExpressionBuilder<Tables, Name>,
  column: 'next_run_at' | 'locked_until',
  now: number,
) {
  const row = build as unknown as ExpressionBuilder<Tables, 'donations'>;
  return row.or([
    row(column, '<=', now),
    row.and([row(column, '>', now + LATEST_DUE), row(column, '<', NEVER)]),
  ]);
}
