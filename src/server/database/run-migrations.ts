import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { migrations } from './migrations.ts';
import type { Tables } from './schema.ts';

/**
 * Ignores the migrations of a later release that runs during a rolling update: they add only what
 * this release can ignore.
 */
export async function runMigrations(db: Kysely<Tables>, name: string): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  const applied = tables.some((table) => table.name === 'kysely_migration')
    ? await (db as unknown as Kysely<{ kysely_migration: { name: string } }>)
        .selectFrom('kysely_migration')
        .select('name')
        .execute()
    : [];
  const laterMigrations = applied
    .filter((one) => !Object.hasOwn(migrations, one.name))
    .map((one) => [one.name, { up: async () => undefined }] as const);
  const { error } = await new Migrator({
    db,
    provider: {
      getMigrations: async () => ({ ...migrations, ...Object.fromEntries(laterMigrations) }),
    },
    allowUnorderedMigrations: true,
  }).migrateToLatest();
  if (error)
    throw new Error(`${name}: cannot migrate the tables: ${(error as Error).message}`, {
      cause: error,
    });
}
