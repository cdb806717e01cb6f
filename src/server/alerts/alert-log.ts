import { sql, type Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import type { AlertRow, Tables } from '../database/schema.ts';
import type { AlertFinding } from './alert-rules.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Time without findings after which a problem is considered ended, in milliseconds. */
const ENDS_AFTER = 300_000;

/** A message that this server has claimed, so no other server sends it. */
export interface ClaimedMessage extends Pick<AlertRow, 'cause' | 'organization'> {
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
  readonly #database: Pick<Database, 'writer' | 'clock'>;

  constructor(database: Pick<Database, 'writer' | 'clock'>) {
    this.#database = database;
  }

  /**
   * Records that a problem exists, and claims the message that this server must send, if any.
   * @param holdsFor minimum age of a problem to report, in milliseconds.
   */
  recordProblem(
    cause: string,
    { organization = '', count = 0 }: Pick<AlertFinding, 'organization' | 'count'>,
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
      const { numUpdatedRows } = await updateRow(transaction, row, { sentAt: now })
        .where('sentAt', '=', row.sentAt)
        .executeTakeFirst();
      if (numUpdatedRows !== 1n) return undefined;
      return toClaim('raised', row, count);
    });
  }

  /** Ends problems without recent findings, and claims a message for each that was reported. */
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
      return rows.filter((row) => row.isSent === 1).map((row) => toClaim('resolved', row, 0));
    });
  }

  async markSent(message: ClaimedMessage): Promise<void> {
    await this.#database.writer.write((transaction) =>
      updateRow(transaction, message, { isSent: 1, sentCount: message.count }).execute(),
    );
  }

  /** Releases the claim on a message that was definitely not sent, so that it is due again. */
  async release(message: ClaimedMessage): Promise<void> {
    await this.#database.writer.write((transaction) =>
      updateRow(transaction, message, { sentAt: message.previouslySentAt }).execute(),
    );
  }
}

function updateRow(
  transaction: Transaction<Tables>,
  { cause, organization }: Pick<AlertRow, 'cause' | 'organization'>,
  columns: Partial<AlertRow>,
) {
  return transaction
    .updateTable('alerts')
    .set(columns)
    .where('cause', '=', cause)
    .where('organization', '=', organization);
}

/** Returns true if a message about an ongoing problem is due. */
function isMessageDue(row: AlertRow, count: number, now: number): boolean {
  const { sentAt, isSent, sentCount } = row;
  // If the clock was set back, `sentAt` may be in the future.
  const age = Math.abs(now - sentAt);
  return age >= HOUR && (isSent === 0 || count > sentCount || age >= DAY);
}

function toClaim(kind: ClaimedMessage['kind'], row: AlertRow, count: number): ClaimedMessage {
  const { cause, organization, beganAt, sentAt: previouslySentAt } = row;
  return { kind, cause, organization, count, beganAt, previouslySentAt };
}
