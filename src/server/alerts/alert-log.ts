import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { AlertRow } from '../database/schema.ts';
import type { Finding } from './alert-rule.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Time without findings after which a problem is considered ended, in milliseconds. */
const ENDS_AFTER = 5 * MINUTE;

type AlertDatabase = Pick<Database, 'writer' | 'clock'>;
type Problem = Pick<AlertRow, 'cause' | 'organization'>;

/** A message that this server has claimed, so no other server sends it. */
export interface ClaimedMessage extends Problem {
  readonly kind: 'raised' | 'resolved';
  /** Time at which the problem began, in milliseconds since 1970. */
  readonly beganAt: number;
  /** Number of affected items, such as donations. */
  readonly count: number;
  /** Previous value of `sentAt`, restored if the server releases the claim. */
  readonly previouslySentAt: number;
}

/**
 * Records problems, and claims messages so that only one server sends each message. Servers that
 * share a database send at most one message per hour for each cause and organization: when the
 * problem begins, when it affects more items, and once a day as a reminder.
 */
export class AlertLog {
  readonly #database: AlertDatabase;

  constructor(database: AlertDatabase) {
    this.#database = database;
  }

  /**
   * Records that a problem exists now.
   * @param holdsFor minimum duration of the problem before a message is sent, in milliseconds.
   * @returns the message that this server must send, or `undefined` if no message is due or another
   *   server has claimed the message.
   */
  recordProblem(
    cause: string,
    { organization = '', count = 0 }: Pick<Finding, 'organization' | 'count'>,
    holdsFor: number,
  ): Promise<ClaimedMessage | undefined> {
    const now = this.#database.clock.now();
    return this.#database.writer.write(async (transaction) => {
      const row = await transaction
        .insertInto('alerts')
        .values({
          cause,
          organization,
          beganAt: now,
          lastSeenAt: now,
          endedAt: null,
          sentAt: 0,
          isSent: 0,
          sentCount: 0,
        })
        .onConflict((conflict) =>
          conflict.columns(['cause', 'organization']).doUpdateSet({
            beganAt: sql`CASE WHEN alerts.ended_at IS NULL THEN alerts.began_at ELSE ${now} END`,
            isSent: sql`CASE WHEN alerts.ended_at IS NULL THEN alerts.is_sent ELSE 0 END`,
            lastSeenAt: now,
            endedAt: null,
          }),
        )
        .returningAll()
        .executeTakeFirstOrThrow();
      if (now - row.beganAt < holdsFor || !isMessageDue(row, count, now)) return undefined;
      const { numUpdatedRows } = await transaction
        .updateTable('alerts')
        .set({ sentAt: now })
        .where('cause', '=', cause)
        .where('organization', '=', organization)
        .where('sentAt', '=', row.sentAt)
        .executeTakeFirst();
      if (numUpdatedRows !== 1n) return undefined;
      return { kind: 'raised', cause, organization, count, ...toClaim(row) };
    });
  }

  /**
   * Marks problems without recent findings as ended, and claims a message for each problem that was
   * reported.
   */
  endProblems(): Promise<ClaimedMessage[]> {
    const now = this.#database.clock.now();
    return this.#database.writer.write(async (transaction) => {
      const rows = await transaction
        .updateTable('alerts')
        .set({ endedAt: now })
        .where('endedAt', 'is', null)
        .where('lastSeenAt', '<', now - ENDS_AFTER)
        .returningAll()
        .execute();
      return rows
        .filter((row) => row.isSent === 1)
        .map((row) => ({
          kind: 'resolved',
          cause: row.cause,
          organization: row.organization,
          count: 0,
          ...toClaim(row),
        }));
    });
  }

  /** Records that a claimed message was sent. */
  async markSent({ cause, organization, count }: ClaimedMessage): Promise<void> {
    await this.#update({ cause, organization }, { isSent: 1, sentCount: count });
  }

  /**
   * Releases the claim on a message that was definitely not sent, which makes the message due
   * again.
   */
  async release({ cause, organization, previouslySentAt }: ClaimedMessage): Promise<void> {
    await this.#update({ cause, organization }, { sentAt: previouslySentAt });
  }

  async #update({ cause, organization }: Problem, columns: Partial<AlertRow>): Promise<void> {
    await this.#database.writer.write((transaction) =>
      transaction
        .updateTable('alerts')
        .set(columns)
        .where('cause', '=', cause)
        .where('organization', '=', organization)
        .execute(),
    );
  }
}

/** Returns true if a message about an ongoing problem is due. */
function isMessageDue(row: AlertRow, count: number, now: number): boolean {
  const { sentAt, isSent, sentCount } = row;
  // If the clock was set back, `sentAt` may be in the future.
  const age = Math.abs(now - sentAt);
  return age >= HOUR && (isSent === 0 || count > sentCount || age >= DAY);
}

function toClaim(row: AlertRow): Pick<ClaimedMessage, 'beganAt' | 'previouslySentAt'> {
  return { beganAt: row.beganAt, previouslySentAt: row.sentAt };
}
