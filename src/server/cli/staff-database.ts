import { formatIssuesOnOneLine } from '../admin/actions/action-error.ts';
import { personEmailSchema, personNameSchema } from '../admin/actions/input-schemas.ts';
import { loadConfiguration, type LoadedConfiguration } from '../config/load-configuration.ts';
import type { Database } from '../database/database.ts';
import { openPostgres } from '../database/postgres-database.ts';
import type { Role } from '../database/schema.ts';
import { openSqlite } from '../database/sqlite-database.ts';
import { getPublicAdminUrl } from '../diagnostics/admin.ts';
import { listPendingMigrations, readDatabaseState } from '../diagnostics/database-state.ts';
import { AuditLog } from '../staff/audit-log.ts';
import { OneTimeTokens } from '../staff/one-time-tokens.ts';
import { ALL_ORGANIZATIONS } from '../staff/roles.ts';
import { buildStaffLink, SETUP_LINK_LIFETIME, SHELL_LINK_LIFETIME } from '../staff/staff-links.ts';
import { type StaffPerson, StaffRepository } from '../staff/staff-repository.ts';

interface NewStaff {
  readonly email: string;
  readonly name: string;
  /** ID of an organization. Default: all. */
  readonly organization?: string | undefined;
  readonly role: Role;
  /** Operating system user who runs the command. */
  readonly by: string;
}

interface StaffStore {
  readonly staff: StaffRepository;
  readonly tokens: OneTimeTokens;
  readonly auditLog: AuditLog;
}

/** Adds a person, or gives a person another role. Returns a link that signs the person in. */
export function addStaff(configFile: string, { by, ...person }: NewStaff) {
  return useDatabase(configFile, async ({ staff, tokens, auditLog }, configuration) => {
    const adminUrl = requireAdminUrl(configuration);
    const { email, role } = person;
    const { success, data: name, error } = personNameSchema.safeParse(person.name);
    if (!success) throw new Error(`--name: ${formatIssuesOnOneLine(error)}.`);
    const { error: emailError } = personEmailSchema.safeParse(email);
    if (emailError) throw new Error(`--email: ${formatIssuesOnOneLine(emailError)}.`);
    const organization = findOrganization(person.organization, configuration);
    const isFirst = !(await staff.hasEverHadPeople());
    if (isFirst && !(organization === ALL_ORGANIZATIONS && role === 'administrator'))
      throw new Error(
        'The first person must be administrator of all organizations, so that somebody can add ' +
          'others. Leave out --organization and --role.',
      );
    const added = await staff.addPerson({ email, name }, { organization, roles: [role] });
    const found = (await staff.findByEmail(email))!;
    if (added === undefined) await addRole(staff, found, organization, role);
    await auditLog.record({
      actor: { kind: 'shell', id: '', name: by },
      action: 'staff.add',
      organization,
      subject: found.id,
      after: { email: found.email, organization, roles: [role] },
    });
    const token = await tokens.create({
      purpose: 'invitation',
      person: found.id,
      lifetime: SHELL_LINK_LIFETIME,
    });
    return {
      isFirst,
      isNew: added !== undefined,
      link: buildStaffLink(adminUrl, 'invitation', token),
    };
  });
}

/** @throws {Error} if anybody has ever been added. */
export function createSetupLink(configFile: string, by: string): Promise<string> {
  return useDatabase(configFile, async ({ staff, tokens, auditLog }, configuration) => {
    const adminUrl = requireAdminUrl(configuration);
    if (await staff.hasEverHadPeople())
      throw new Error(
        'Somebody has already been added, so setup is over. Run donation-form staff add.',
      );
    await auditLog.record({
      actor: { kind: 'shell', id: '', name: by },
      action: 'staff.setup',
      organization: ALL_ORGANIZATIONS,
    });
    const token = await tokens.create({ purpose: 'setup', lifetime: SETUP_LINK_LIFETIME });
    return buildStaffLink(adminUrl, 'setup', token);
  });
}

export function listStaff(configFile: string): Promise<readonly StaffPerson[]> {
  return useDatabase(configFile, ({ staff }) => staff.listPeople());
}

/** Opens the database, which a server may be using. */
async function useDatabase<Result>(
  configFile: string,
  work: (store: StaffStore, configuration: LoadedConfiguration) => Promise<Result>,
): Promise<Result> {
  const configuration = await loadConfiguration(configFile);
  const database = await openMigratedDatabase(configuration.database, process.env.DATABASE_URL);
  try {
    return await work(
      {
        staff: new StaffRepository(database),
        tokens: new OneTimeTokens(database),
        auditLog: new AuditLog(database),
      },
      configuration,
    );
  } finally {
    await database.close();
  }
}

/**
 * Opens a database without the lock that a server holds on an SQLite file: a few rows can be written
 * at any time, but only servers change the tables.
 * @throws {Error} if no server of this release has created the tables.
 */
async function openMigratedDatabase(file: string, url: string | undefined): Promise<Database> {
  if (listPendingMigrations(await readDatabaseState(file, url)).length > 0)
    throw new Error(
      'The database does not have the tables of this release yet. Start the server once with ' +
        'donation-form serve, then run this command again.',
    );
  return url === undefined ? openSqlite(file) : openPostgres(url);
}

function requireAdminUrl(configuration: LoadedConfiguration): string {
  const url = getPublicAdminUrl(configuration);
  if (url !== undefined && configuration.admin?.key !== undefined) return url;
  throw new Error(
    'The configuration has no admin pages with a key. Add "admin": { "port": 4103, "key": ' +
      '{ "env": "ADMIN_KEY" } }, set that environment variable, and restart the server.',
  );
}

function findOrganization(id: string | undefined, { organizations }: LoadedConfiguration): string {
  if (id === undefined) return ALL_ORGANIZATIONS;
  const ids = organizations.map((organization) => organization.id);
  if (ids.includes(id)) return id;
  throw new Error(`Unknown organization '${id}'; expected one of ${ids.join(', ')}.`);
}

async function addRole(
  staff: StaffRepository,
  { id, memberships }: StaffPerson,
  organization: string,
  role: Role,
): Promise<void> {
  const { roles = [] } = memberships.find((one) => one.organization === organization) ?? {};
  if (!roles.includes(role)) await staff.setRoles(id, { organization, roles: [...roles, role] });
}
