import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { link, open, rm } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { NEVER } from './database-clock.ts';

export interface Copy {
  readonly file: string;
  readonly bytes: number;
  readonly donations: number;
}

/**
 * Copies an SQLite file, even while the server writes to it. The copy gets its name once it is
 * complete, checked, and synced.
 * @param file absolute path of the copy.
 * @throws {Error} if the file exists or cannot be written, or if the copy is corrupt.
 */
export async function copySqliteDatabase(database: string, file: string): Promise<Copy> {
  if (!isAbsolute(file))
    throw new Error(`The path ${file} is relative; expected an absolute path on the server.`);
  const existsMessage = `${file} already exists. Choose another file for the copy.`;
  if (existsSync(file)) throw new Error(existsMessage);
  const part = `${file}.${randomUUID()}.part`;
  try {
    await (await open(part, 'wx', 0o600)).close();
    await copySnapshotInWorker(database, part);
    const donations = finishCopy(part);
    const handle = await open(part, 'r+');
    await handle.sync();
    const { size: bytes } = await handle.stat();
    await handle.close();
    await link(part, file);
    return { file, bytes, donations };
  } catch (cause) {
    throw new Error(
      (cause as { code?: string }).code === 'EEXIST'
        ? existsMessage
        : `Cannot copy the database to ${file}: ${(cause as Error).message}`,
      { cause },
    );
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal'])
      await rm(`${part}${suffix}`, { force: true });
  }
}

/** Runs in a worker thread, because `VACUUM INTO` blocks its thread until the copy is written. */
const COPY_SCRIPT = `
  const { workerData: { database, part } } = require('node:worker_threads');
  const { DatabaseSync } = require('node:sqlite');
  const reader = new DatabaseSync(database, { readOnly: true });
  reader.prepare('VACUUM INTO ?').run(part);
  reader.close();
`;

/** Unlike a copy of the file, the snapshot contains no deleted data from unused pages. */
async function copySnapshotInWorker(database: string, part: string): Promise<void> {
  const worker = new Worker(COPY_SCRIPT, { eval: true, workerData: { database, part } });
  await once(worker, 'exit');
}

/**
 * Mark unfinished and recurring donations, which the original server continues to process. A server
 * that starts with the copy must look them up on the platform first. docs/server/backups.md has the
 * same statements for PostgreSQL.
 */
const RESTORE_MARKS = [
  "UPDATE donations SET restored_at = ? WHERE status IN ('unconfirmed', 'requires_action', " +
    "'processing', 'needs_review') OR subscription_id IS NOT NULL",
  "UPDATE outbox SET dispatched_at = ? WHERE status = 'pending' AND kind IN ('donation', " +
    "'renewal') AND dispatched_at IS NULL",
  // The original server sends these messages, and issues these receipts.
  `UPDATE mail_messages SET status = 'canceled', updated_at = ?, next_run_at = ${NEVER}, ` +
    "last_error = 'It was about to be sent when the database was backed up.' " +
    "WHERE status = 'pending'",
  "DELETE FROM receipts WHERE status = 'due' AND created_at <= ?",
];

/**
 * @returns the number of donations.
 * @throws {Error} if the copy is corrupt.
 */
function finishCopy(file: string): number {
  const copy = new DatabaseSync(file);
  try {
    copy.exec('PRAGMA journal_mode = DELETE');
    const problems = (copy.prepare('PRAGMA integrity_check').all() as { integrity_check: string }[])
      .map((row) => row.integrity_check)
      .filter((found) => found !== 'ok');
    if (problems.length > 0) throw new Error(`the copy is corrupt: ${problems[0]}`);
    const now = Date.now();
    for (const mark of RESTORE_MARKS) copy.prepare(mark).run(now);
    copy
      .prepare("INSERT OR REPLACE INTO server_info (name, value) VALUES ('backup_made_at', ?)")
      .run(new Date(now).toISOString());
    return (copy.prepare('SELECT count(*) AS count FROM donations').get() as { count: number })
      .count;
  } finally {
    copy.close();
  }
}
