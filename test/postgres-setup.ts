/**
 * Starts one PostgreSQL for all test files of a run, and stops it when the run ends:
 * `node --test --test-global-setup=test/postgres-setup.ts <files>`. The files find its URL in
 * `TEST_DATABASE_URL`.
 */
import { statfs } from 'node:fs/promises';
import { openPostgres } from '../src/server/database/database.ts';
import { createDatabase, MIGRATED_DATABASE, postgresFolder, startPostgres } from './postgres.ts';

/** File system in memory on Linux, and the free space that we need there, in bytes. */
const MEMORY = '/dev/shm';
const FREE_SPACE_NEEDED = 4 * 2 ** 30;

export async function globalSetup(): Promise<void> {
  if (postgresFolder() === undefined) {
    console.error(
      '\n!! PostgreSQL is not installed, so THE TESTS OVER PostgreSQL DID NOT RUN. On Debian, install it as root: apt-get install postgresql\n',
    );
    process.exit(process.env.CI ? 1 : 0);
  }
  const postgres = await startPostgres(await findMemoryFolder());
  const migrated = await createDatabase(postgres.url, { name: MIGRATED_DATABASE });
  await (await openPostgres(migrated)).close();
  process.env.TEST_DATABASE_URL = postgres.url;
}

/**
 * Returns a folder in memory for the database files, if there is room. Tests of what a power cut
 * loses start a PostgreSQL of their own on the disk.
 */
async function findMemoryFolder(): Promise<string | undefined> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= FREE_SPACE_NEEDED ? MEMORY : undefined;
}
