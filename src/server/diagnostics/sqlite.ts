import { constants, existsSync, statSync } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type CheckResult, createCheck } from '../lib/check-result.ts';
import { getErrorReason } from '../lib/get-error-reason.ts';
import type { Readiness } from '../observability/readiness.ts';
import { describePendingMigrations, readSqliteState } from './database-state.ts';

const databaseCheck = createCheck('database');
const MEGABYTE = 1024 * 1024;
/** Required free disk space, in bytes. A donation takes about 3,000 bytes. */
const MIN_FREE_SPACE = 200 * MEGABYTE;

export async function checkSqlite(
  file: string,
  readiness: Readiness | undefined,
): Promise<CheckResult[]> {
  const folder = findExistingFolder(dirname(file));
  if (!statSync(folder).isDirectory())
    return [
      databaseCheck.fail(
        `DATABASE_URL is not set, and the server cannot create ${file}, because ${folder} is not ` +
          'a folder. Set DATABASE_URL to a PostgreSQL database, or configure another file.',
      ),
    ];
  return [await checkDatabaseFile(file, folder, readiness), await checkFreeSpace(folder)];
}

async function checkDatabaseFile(
  file: string,
  folder: string,
  readiness: Readiness | undefined,
): Promise<CheckResult> {
  const target = existsSync(file) ? file : folder;
  try {
    await access(target, constants.R_OK | constants.W_OK);
  } catch (error) {
    return databaseCheck.fail(
      `This user cannot write to ${target} (${getErrorReason(error)}). Give the server's ` +
        'user write access.',
    );
  }
  if (target !== file)
    return databaseCheck.pass(
      `DATABASE_URL is not set, so the server will create ${file} when it first starts.`,
    );
  return isDatabaseInUse(file) ? checkFileInUse(file, readiness) : checkFileIntegrity(file);
}

export function isDatabaseInUse(file: string): boolean {
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

function checkFileInUse(file: string, readiness: Readiness | undefined): CheckResult {
  if (!readiness)
    return databaseCheck.skip(
      `Another process is using ${file}, so this command cannot check the file. No server responds ` +
        'on the admin port.',
    );
  const { state, milliseconds } = readiness.checks.database;
  return state === 'ok'
    ? databaseCheck.pass(`The running server uses ${file} and wrote to it in ${milliseconds} ms.`)
    : databaseCheck.fail(
        `The running server uses ${file} but cannot write to it. See docs/server/runbook.md.`,
      );
}

function checkFileIntegrity(file: string): CheckResult {
  try {
    const sqlite = new DatabaseSync(file);
    try {
      sqlite.exec('PRAGMA busy_timeout = 2000; BEGIN IMMEDIATE; ROLLBACK;');
      const { quick_check: problem } = sqlite.prepare('PRAGMA quick_check(1)').get() as {
        quick_check: string;
      };
      return problem === 'ok'
        ? databaseCheck.pass(
            `DATABASE_URL is not set, so the server uses ${file}. The file is readable and ` +
              `writable.${describePendingMigrations(readSqliteState(sqlite))}`,
          )
        : databaseCheck.fail(
            `${file} is damaged (${problem}). Restore the file from the last backup.`,
          );
    } finally {
      sqlite.close();
    }
  } catch (error) {
    return databaseCheck.fail(
      `Cannot open ${file} (${(error as Error).message}). Configure another file, or restore ` +
        'this one from the last backup.',
    );
  }
}

async function checkFreeSpace(folder: string): Promise<CheckResult> {
  const { bavail, bsize } = await statfs(folder);
  const freeSpace = bavail * bsize;
  const message = `${Math.floor(freeSpace / MEGABYTE)} MB is free in ${folder}.`;
  return freeSpace < MIN_FREE_SPACE
    ? createCheck('disk').fail(
        `${message} Free up space: the server rejects donations that it cannot save.`,
      )
    : createCheck('disk').pass(message);
}

/** Returns the folder or, if it does not exist, its nearest existing ancestor. */
function findExistingFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder
    ? folder
    : findExistingFolder(dirname(folder));
}
