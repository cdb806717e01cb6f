import { randomUUID } from 'node:crypto';
import type { Database } from '../database/database.ts';
import type { AuditEntryRow } from '../database/schema.ts';
import type { Actor, PermittedOrganizations } from './actor.ts';
import { ALL_ORGANIZATIONS } from './roles.ts';

const DAY = 86_400_000;
/** Maximum number of entries that one query reads. */
export const PAGE_SIZE = 50;

/** Values before and after an event. Neither contains donor data. */
export interface AuditChange {
  readonly before?: object | undefined;
  readonly after?: object | undefined;
}

export interface AuditEvent extends AuditChange {
  readonly actor: Pick<Actor, 'id' | 'name' | 'address'> & {
    readonly kind: AuditEntryRow['actorKind'];
  };
  /** Name of a staff action, or another name such as `sign-in`. */
  readonly action: string;
  /** ID of an organization, or {@link ALL_ORGANIZATIONS}. */
  readonly organization: string;
  /** Such as a donation's reference. */
  readonly subject?: string;
}

export interface AuditQuery {
  /** Organizations whose entries the reader may see. */
  readonly permitted: PermittedOrganizations;
  /** ID of a person or token, or the kind of another actor. */
  readonly actor?: string | undefined;
  /** In milliseconds since 1970. `to` is exclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** ID of the last entry that the reader has seen. */
  readonly before?: string | undefined;
}

/** Records who did what, without donor data. */
export class AuditLog {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Records something that has happened. */
  async record(event: AuditEvent): Promise<void> {
    await this.#insert(event, 'done');
  }

  /**
   * Records an intent, before the action. If the server stops before {@link finish}, the entry has
   * no result.
   * @returns the entry's ID.
   */
  begin(event: AuditEvent): Promise<string> {
    return this.#insert(event, null);
  }

  async finish(
    id: string,
    result: NonNullable<AuditEntryRow['result']>,
    { before, after }: AuditChange = {},
  ): Promise<void> {
    await this.#database.writer.write((transaction) =>
      transaction
        .updateTable('auditEntries')
        .set({
          result,
          ...(before && { before: JSON.stringify(before) }),
          ...(after && { after: JSON.stringify(after) }),
        })
        .where('id', '=', id)
        .execute(),
    );
  }

  /** Lists the newest entries that match, or those before one of them. */
  async listEntries({
    permitted,
    actor,
    from,
    to,
    before,
  }: AuditQuery): Promise<readonly AuditEntryRow[]> {
    const { db } = this.#database;
    const last =
      before === undefined
        ? undefined
        : await db
            .selectFrom('auditEntries')
            .select(['id', 'at'])
            .where('id', '=', before)
            .executeTakeFirst();
    // The oldest entries are deleted first, so there are no older ones.
    if (before !== undefined && !last) return [];
    let query = db.selectFrom('auditEntries').selectAll();
    if (permitted !== ALL_ORGANIZATIONS) query = query.where('organization', 'in', [...permitted]);
    if (actor !== undefined) query = query.where('actorId', '=', actor);
    if (from !== undefined) query = query.where('at', '>=', from);
    if (to !== undefined) query = query.where('at', '<', to);
    if (last)
      query = query.where((build) =>
        build.or([
          build('at', '<', last.at),
          build.and([build('at', '=', last.at), build('id', '<', last.id)]),
        ]),
      );
    return query.orderBy('at', 'desc').orderBy('id', 'desc').limit(PAGE_SIZE).execute();
  }

  /** Iterates over all entries that match, newest first. */
  async *iterateEntries(query: AuditQuery): AsyncGenerator<AuditEntryRow> {
    let before = query.before;
    for (;;) {
      const page = await this.listEntries({ ...query, before });
      yield* page;
      if (page.length < PAGE_SIZE) return;
      before = page.at(-1)!.id;
    }
  }

  async deleteExpired(days: number): Promise<void> {
    const until = this.#database.clock.now() - days * DAY;
    await this.#database.writer.write((transaction) =>
      transaction.deleteFrom('auditEntries').where('at', '<=', until).execute(),
    );
  }

  async #insert(
    { actor, action, organization, subject = '', before, after }: AuditEvent,
    result: AuditEntryRow['result'],
  ): Promise<string> {
    const id = randomUUID();
    const at = this.#database.clock.now();
    await this.#database.writer.write((transaction) =>
      transaction
        .insertInto('auditEntries')
        .values({
          id,
          at,
          actorKind: actor.kind,
          actorId: actor.id === '' ? actor.kind : actor.id,
          actorName: actor.name,
          address: actor.address ?? '',
          organization,
          action,
          subject,
          before: before ? JSON.stringify(before) : null,
          after: after ? JSON.stringify(after) : null,
          result,
        })
        .execute(),
    );
    return id;
  }
}
