/**
 * Starts one PostgreSQL server for all test files of a run and stops it at the end:
 * `node --test --test-global-setup=test/postgres-setup.ts <files>`. Test files read its URL from
 * `TEST_DATABASE_URL`.
 */
import { statfs } from 'node:fs/promises';
import { openPostgres } from '../src/server/database/postgres-database.ts';
import {
  createDatabase,
  findPostgresBinaries,
  MIGRATED_DATABASE,
  startPostgres,
} from './postgres.ts';

/** In-memory file system on Linux. */
const MEMORY_FOLDER = '/dev/shm';
/** In bytes. */
const MIN_FREE_SPACE = 4 * 2 ** 30;

export async function globalSetup(): Promise<void> {
  if (findPostgresBinaries() === undefined) {
    console.error(
      '\n!! THE POSTGRESQL TESTS DID NOT RUN: PostgreSQL is not installed. On Debian, run apt-get install postgresql as root.\n',
    );
    process.exit(process.env.CI ? 1 : 0);
  }
  const postgres = await startPostgres(await findMemoryFolder());
  const migrated = await createDatabase(postgres.url, { name: MIGRATED_DATABASE });
  await (await openPostgres(migrated)).close();
  process.env.TEST_DATABASE_URL = postgres.url;
}

/**
 * Returns an in-memory folder for the database files if it has enough space. Tests that simulate a
 * power cut start their own server on disk instead.
 */
async function findMemoryFolder(): Promise<string | undefined> {
  const { bavail, bsize } = await statfs(MEMORY_FOLDER).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= MIN_FREE_SPACE ? MEMORY_FOLDER : undefined;
}
