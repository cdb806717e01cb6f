import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Role, StaffPersonRow, Tables } from '../database/schema.ts';
import { normalizeEmail } from '../lib/normalize-email.ts';
import type { Actor } from './actor.ts';
import { ALL_ORGANIZATIONS, ROLE_PERMISSIONS } from './roles.ts';

/** Roles of a person in one organization, or in {@link ALL_ORGANIZATIONS}. */
export interface Membership {
  readonly organization: string;
  readonly roles: readonly Role[];
}

export interface StaffPerson extends Pick<StaffPersonRow, 'id' | 'email' | 'name' | 'createdAt'> {
  readonly memberships: readonly Membership[];
}

export type NewPerson = Pick<StaffPerson, 'email' | 'name'>;

/** Thrown if a change would leave nobody who can manage the staff of all organizations. */
export class LastAdministratorError extends Error {
  override readonly name = 'LastAdministratorError';

  constructor() {
    super(
      'This person is the last administrator of all organizations. Make somebody else ' +
        'administrator of all organizations first.',
    );
  }
}

/** Name in `server_info`. */
const FIRST_PERSON = 'first_person_at';

/** People who sign in to the admin pages, and their roles. */
export class StaffRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns true if anybody has ever been added, even if nobody is left. */
  async hasEverHadPeople(): Promise<boolean> {
    const row = await this.#database.db
      .selectFrom('serverInfo')
      .select('value')
      .where('name', '=', FIRST_PERSON)
      .executeTakeFirst();
    return row !== undefined;
  }

  async listPeople(): Promise<readonly StaffPerson[]> {
    const { db } = this.#database;
    const people = await db
      .selectFrom('staffPeople')
      .selectAll()
      .orderBy('name')
      .orderBy('id')
      .execute();
    const roles = await db.selectFrom('staffRoles').selectAll().execute();
    return people.map((person) => toStaffPerson(person, roles));
  }

  findPerson(id: string): Promise<StaffPerson | undefined> {
    return this.#findBy('id', id);
  }

  findByEmail(email: string): Promise<StaffPerson | undefined> {
    return this.#findBy('email', normalizeEmail(email));
  }

  /** Reads one person only, because every request of a signed-in person does this. */
  async #findBy(column: 'id' | 'email', value: string): Promise<StaffPerson | undefined> {
    const { db } = this.#database;
    const person = await db
      .selectFrom('staffPeople')
      .selectAll()
      .where(column, '=', value)
      .executeTakeFirst();
    if (!person) return undefined;
    const roles = await db
      .selectFrom('staffRoles')
      .selectAll()
      .where('person', '=', person.id)
      .execute();
    return toStaffPerson(person, roles);
  }

  /** Returns the new person's ID, or `undefined` if someone has this email. */
  async addPerson(
    person: NewPerson,
    { organization, roles }: Membership,
  ): Promise<string | undefined> {
    const now = this.#database.clock.now();
    return this.#database.writer.write(async (transaction) => {
      const id = await insertPerson(transaction, person, now);
      if (id === undefined) return undefined;
      await replaceRoles(transaction, id, { organization, roles });
      await claimFirstPerson(transaction, now);
      return id;
    });
  }

  /**
   * Adds an administrator of all organizations. Returns the ID, or `undefined` if anybody has ever
   * been added: of several concurrent calls, over all servers, only one adds a person.
   */
  async addFirstPerson(person: NewPerson): Promise<string | undefined> {
    const now = this.#database.clock.now();
    return this.#database.writer.write(async (transaction) => {
      if (!(await claimFirstPerson(transaction, now))) return undefined;
      const id = (await insertPerson(transaction, person, now))!;
      await replaceRoles(transaction, id, {
        organization: ALL_ORGANIZATIONS,
        roles: ['administrator'],
      });
      return id;
    });
  }

  /**
   * Replaces a person's roles in an organization. Without roles, the person has no access to it.
   * The loss of a role ends the person's sessions and links, but not if the person also has roles
   * elsewhere, where an administrator of one organization must not sign anybody out.
   * @throws {LastAdministratorError}
   */
  async setRoles(person: string, membership: Membership): Promise<void> {
    await this.#database.writer.write(async (transaction) => {
      await lockAdministrators(transaction);
      const before = await transaction
        .selectFrom('staffRoles')
        .selectAll()
        .where('person', '=', person)
        .execute();
      await replaceRoles(transaction, person, membership);
      await assertHasAdministrator(transaction);
      if (!endsSessions(before, membership)) return;
      await transaction.deleteFrom('adminSessions').where('person', '=', person).execute();
      await transaction.deleteFrom('oneTimeTokens').where('person', '=', person).execute();
    });
  }

  /**
   * Removes a person with all roles, sessions, passkeys, links, and API tokens.
   * @throws {LastAdministratorError}
   */
  async removePerson(person: string): Promise<void> {
    await this.#database.writer.write(async (transaction) => {
      await lockAdministrators(transaction);
      await transaction.deleteFrom('staffPeople').where('id', '=', person).execute();
      await transaction.deleteFrom('staffRoles').where('person', '=', person).execute();
      await assertHasAdministrator(transaction);
      await transaction.deleteFrom('adminSessions').where('person', '=', person).execute();
      await transaction.deleteFrom('staffPasskeys').where('person', '=', person).execute();
      await transaction.deleteFrom('staffIdentities').where('person', '=', person).execute();
      await transaction.deleteFrom('oneTimeTokens').where('person', '=', person).execute();
      await transaction.deleteFrom('apiTokens').where('createdBy', '=', person).execute();
    });
  }
}

/** Returns the new person's ID, or `undefined` if someone has this email. */
async function insertPerson(
  transaction: Transaction<Tables>,
  { email, name }: NewPerson,
  now: number,
): Promise<string | undefined> {
  const id = randomUUID();
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('staffPeople')
    .values({ id, email: normalizeEmail(email), name, createdAt: now })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 0n ? undefined : id;
}

/** Records that there is a first person. Returns false if there has been one. */
async function claimFirstPerson(transaction: Transaction<Tables>, now: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('serverInfo')
    .values({ name: FIRST_PERSON, value: new Date(now).toISOString() })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows !== 0n;
}

/** Returns what a person may do. */
export function createPersonActor({ id, name, memberships }: StaffPerson): Actor {
  return {
    kind: 'person',
    id,
    name,
    grants: memberships.map(({ organization, roles }) => ({
      organization,
      permissions: [...new Set(roles.flatMap((role) => ROLE_PERMISSIONS[role]))],
    })),
  };
}

const toStaffPerson = (
  person: StaffPersonRow,
  roles: readonly Tables['staffRoles'][],
): StaffPerson => ({
  ...person,
  memberships: toMemberships(roles.filter((row) => row.person === person.id)),
});

function toMemberships(rows: readonly Tables['staffRoles'][]): Membership[] {
  const organizations = [...new Set(rows.map(({ organization }) => organization))].sort();
  return organizations.map((organization) => ({
    organization,
    roles: rows.filter((row) => row.organization === organization).map(({ role }) => role),
  }));
}

async function replaceRoles(
  transaction: Transaction<Tables>,
  person: string,
  { organization, roles }: Membership,
): Promise<void> {
  await transaction
    .deleteFrom('staffRoles')
    .where((build) => build.and({ person, organization }))
    .execute();
  if (roles.length === 0) return;
  await transaction
    .insertInto('staffRoles')
    .values(roles.map((role) => ({ person, organization, role })))
    .execute();
}

function endsSessions(
  before: readonly Tables['staffRoles'][],
  { organization, roles }: Membership,
): boolean {
  const isHere = (row: Tables['staffRoles']): boolean => row.organization === organization;
  const hasLostRole = before.some((row) => isHere(row) && !roles.includes(row.role));
  return hasLostRole && (organization === ALL_ORGANIZATIONS || before.every(isHere));
}

/** Makes other servers wait, so that two of them cannot remove the last two administrators. */
async function lockAdministrators(transaction: Transaction<Tables>): Promise<void> {
  await transaction
    .updateTable('serverInfo')
    .set((build) => ({ value: build.ref('value') }))
    .where('name', '=', FIRST_PERSON)
    .execute();
}

async function assertHasAdministrator(transaction: Transaction<Tables>): Promise<void> {
  const administrator = await transaction
    .selectFrom('staffRoles')
    .select('person')
    .where((build) => build.and({ organization: ALL_ORGANIZATIONS, role: 'administrator' }))
    .limit(1)
    .executeTakeFirst();
  if (!administrator) throw new LastAdministratorError();
}
