import { constants, existsSync } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { migrations } from '../database/migrations.ts';
import type { Readiness } from '../observability/readiness.ts';
import { ok, reasonOf, untried, wrong, type Finding } from '../lib/finding.ts';

/** Free space below which a store should not begin, in bytes; a gift takes some 3,000. */
const LEAST_SPACE = 200 * 1024 * 1024;

/**
 * Looks at an SQLite file without changing it.
 * @param running what the server that uses it says, where one answers.
 */
export async function checkFile(file: string, running: Readiness | undefined): Promise<Finding[]> {
  const folder = existing(dirname(file));
  return [...(await checkPlace(file, folder, running)), await checkSpace(folder)];
}

async function checkPlace(
  file: string,
  folder: string,
  running: Readiness | undefined,
): Promise<Finding[]> {
  const isThere = existsSync(file);
  const refused = await access(isThere ? file : folder, constants.R_OK | constants.W_OK).then(
    () => undefined,
    reasonOf,
  );
  if (refused !== undefined)
    return [
      wrong(
        'store',
        `${isThere ? file : folder} cannot be written by this user (${refused}); give the server's user the right to`,
      ),
    ];
  if (!isThere) return [ok('store', `${file} does not exist yet; the first start makes it`)];
  if (isTaken(file)) {
    if (!running)
      return [
        untried(
          'store',
          `${file} is used by another server, which does not answer on the operator's port; it was not asked`,
        ),
      ];
    const { state, milliseconds } = running.checks.store;
    return [
      state === 'ok'
        ? ok(
            'store',
            `${file} is used by a running server, which wrote to it in ${milliseconds} ms`,
          )
        : wrong(
            'store',
            `${file} is used by a running server, which cannot write to it; see docs/runbook.md`,
          ),
    ];
  }
  return [lookInto(file)];
}

/** Whether another process has the file. */
function isTaken(file: string): boolean {
  if (!existsSync(`${file}-claim`)) return false;
  const claim = new DatabaseSync(`${file}-claim`);
  try {
    claim.exec('BEGIN EXCLUSIVE; ROLLBACK;');
    return false;
  } catch {
    return true;
  } finally {
    claim.close();
  }
}

function lookInto(file: string): Finding {
  try {
    const sqlite = new DatabaseSync(file);
    try {
      sqlite.exec('PRAGMA busy_timeout = 2000; BEGIN IMMEDIATE; ROLLBACK;');
      const { quick_check: health } = sqlite.prepare('PRAGMA quick_check(1)').get() as {
        quick_check: string;
      };
      if (health !== 'ok')
        return wrong('store', `${file} is damaged (${health}); restore it from the last backup`);
      return ok('store', `${file} opens and can be written${pendingOf(sqlite)}`);
    } finally {
      sqlite.close();
    }
  } catch (error) {
    return wrong(
      'store',
      `${file} cannot be opened (${(error as Error).message}); name another file, or restore it from the last backup`,
    );
  }
}

function pendingOf(sqlite: DatabaseSync): string {
  const [table] = sqlite
    .prepare("SELECT name FROM sqlite_master WHERE name = 'kysely_migration'")
    .all();
  const done = table
    ? sqlite
        .prepare('SELECT name FROM kysely_migration')
        .all()
        .map(({ name }) => String(name))
    : [];
  return inWords(done);
}

/**
 * What this release would add to a store's tables.
 * @param done the names of the migrations that were done.
 */
export function inWords(done: readonly string[]): string {
  const missing = Object.keys(migrations).filter((name) => !done.includes(name)).length;
  return missing === 0
    ? ''
    : `; the next start brings its tables up to date (${missing === 1 ? '1 step' : `${missing} steps`})`;
}

async function checkSpace(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const words = `${Math.floor(free / 1024 / 1024)} MB are free in ${folder}`;
  return free < LEAST_SPACE
    ? wrong('disk', `${words}; make room: a gift that cannot be written is refused`)
    : ok('disk', words);
}

/** The nearest folder above that exists. */
function existing(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existing(dirname(folder));
}
