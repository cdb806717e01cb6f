/** Runs a command beside a PostgreSQL of its own, whose address it finds in TEST_DATABASE_URL. */
import { spawn } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import { startPostgres } from '../test/postgres.ts';

/** Linux's own file system in memory, and what has to be free there, in bytes. */
const MEMORY = '/dev/shm';
const ENOUGH = 4 * 2 ** 30;

/**
 * Most of what these suites wait for is databases that are made, and the disk: what is lost with it
 * is tried by the tests that start a PostgreSQL of their own.
 */
async function inMemory(): Promise<string | undefined> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= ENOUGH ? MEMORY : undefined;
}

const [program = '', ...words] = process.argv.slice(2);
const postgres = await startPostgres(await inMemory());
try {
  process.exitCode = await new Promise<number>((resolve) => {
    spawn(program, words, {
      stdio: 'inherit',
      env: { ...process.env, TEST_DATABASE_URL: postgres.url },
    }).on('close', (code) => {
      resolve(code ?? 1);
    });
  });
} finally {
  await postgres.stop();
}
