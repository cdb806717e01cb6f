import { randomBytes, randomUUID } from 'node:crypto';
import type { Database } from '../database/database.ts';
import type { ApiTokenRow } from '../database/schema.ts';
import { hashSha256 } from '../lib/hash.ts';
import { type Actor, ADMIN_KEY_ACTOR, listMissingPermissions } from './actor.ts';
import type { Permission } from './roles.ts';
import { createPersonActor, type StaffRepository } from './staff-repository.ts';

/** By which secret scanners recognize a token. */
const PREFIX = 'dft_';
const TOKEN_BYTES = 24;
/** In milliseconds. */
const USE_UPDATE_INTERVAL = 60_000;

export interface ApiToken extends Pick<
  ApiTokenRow,
  'id' | 'name' | 'organization' | 'createdBy' | 'createdAt' | 'lastUsedAt'
> {
  readonly permissions: readonly Permission[];
}

export interface NewApiToken extends Pick<ApiToken, 'name' | 'organization' | 'permissions'> {
  readonly creator: Actor;
}

export function isApiToken(candidate: string): boolean {
  return candidate.startsWith(PREFIX);
}

/** Keys of programs. Only their hashes are stored. */
export class ApiTokenRepository {
  readonly #database: Database;
  readonly #staff: StaffRepository;

  constructor(database: Database, staff: StaffRepository) {
    this.#database = database;
    this.#staff = staff;
  }

  async createToken({ name, organization, permissions, creator }: NewApiToken) {
    const id = randomUUID();
    const token = PREFIX + randomBytes(TOKEN_BYTES).toString('hex');
    const createdAt = this.#database.clock.now();
    await this.#database.writer.write((transaction) =>
      transaction
        .insertInto('apiTokens')
        .values({
          id,
          hash: hashSha256(token),
          name,
          organization,
          permissions: JSON.stringify(permissions),
          createdBy: creator.kind === 'person' ? creator.id : creator.kind,
          createdAt,
          lastUsedAt: null,
        })
        .execute(),
    );
    return { id, token };
  }

  async listTokens(): Promise<readonly ApiToken[]> {
    const { db } = this.#database;
    const rows = await db
      .selectFrom('apiTokens')
      .selectAll()
      .orderBy('name')
      .orderBy('id')
      .execute();
    return rows.map(toApiToken);
  }

  async deleteToken(id: string): Promise<void> {
    await this.#database.writer.write((transaction) =>
      transaction.deleteFrom('apiTokens').where('id', '=', id).execute(),
    );
  }

  /**
   * Returns what a token may do now: what it was created for, as far as its creator may still do it.
   * Returns `undefined` if the token is unknown or revoked, or its creator was removed.
   */
  async findActor(token: string): Promise<Actor | undefined> {
    const row = await this.#database.db
      .selectFrom('apiTokens')
      .selectAll()
      .where('hash', '=', hashSha256(token))
      .executeTakeFirst();
    const creator = row && (await this.#findCreator(row.createdBy));
    if (!row || !creator) return undefined;
    await this.#recordUse(row);
    const { id, name, organization, permissions } = toApiToken(row);
    const missing = listMissingPermissions(creator, { organization, permissions });
    const granted = permissions.filter((permission) => !missing.includes(permission));
    return { kind: 'token', id, name, grants: [{ organization, permissions: granted }] };
  }

  async #findCreator(createdBy: string): Promise<Actor | undefined> {
    if (createdBy === ADMIN_KEY_ACTOR.kind) return ADMIN_KEY_ACTOR;
    const person = await this.#staff.findPerson(createdBy);
    return person && createPersonActor(person);
  }

  async #recordUse({ id, lastUsedAt }: ApiTokenRow): Promise<void> {
    const now = this.#database.clock.now();
    if (lastUsedAt !== null && now - lastUsedAt < USE_UPDATE_INTERVAL) return;
    await this.#database.writer.write((transaction) =>
      transaction.updateTable('apiTokens').set({ lastUsedAt: now }).where('id', '=', id).execute(),
    );
  }
}

function toApiToken(row: ApiTokenRow): ApiToken {
  const { id, name, organization, createdBy, createdAt, lastUsedAt } = row;
  const permissions = JSON.parse(row.permissions) as readonly Permission[];
  return { id, name, organization, permissions, createdBy, createdAt, lastUsedAt };
}
