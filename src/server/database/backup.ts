import { randomUUID } from 'node:crypto';
import { link, open, rm, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';

/** A copy of the store. */
export interface Copy {
  readonly file: string;
  readonly bytes: number;
  /** How many gifts are in it. */
  readonly gifts: number;
}

/**
 * Copies an SQLite file, with what was written until now, while it is written on; the copy has its
 * name only when it is whole, checked and on the disk.
 * @param file absolute; there is none of this name yet. @throws where there is one, or it cannot
 *   be written, or is not sound.
 */
export async function copySqlite(store: string, file: string): Promise<Copy> {
  if (!isAbsolute(file))
    throw new Error(`${file}: expected an absolute path on the server's machine.`);
  const isTaken = `${file}: there is such a file already, and no copy takes its place. Name another.`;
  if (
    await stat(file).then(
      () => true,
      () => false,
    )
  )
    throw new Error(isTaken);
  const part = `${file}.${randomUUID()}.part`;
  try {
    await (await open(part, 'wx', 0o600)).close();
    await copyAtOnce(store, part);
    const gifts = prepare(part);
    const handle = await open(part, 'r+');
    await handle.sync();
    const { size: bytes } = await handle.stat();
    await handle.close();
    await link(part, file);
    return { file, bytes, gifts };
  } catch (cause) {
    throw new Error(
      (cause as { code?: string }).code === 'EEXIST'
        ? isTaken
        : `${file}: the copy could not be made: ${(cause as Error).message}`,
      { cause },
    );
  } finally {
    for (const rest of ['', '-wal', '-shm', '-journal'])
      await rm(`${part}${rest}`, { force: true });
  }
}

/** More than any file has. */
const MOST_PAGES = 2 ** 31 - 1;

/**
 * Takes all pages in one step and by a connection of its own, which sees the store as it was when
 * the step began: otherwise each change begins the copy anew, and one that is being written breaks
 * it off.
 */
async function copyAtOnce(store: string, part: string): Promise<void> {
  const reader = new DatabaseSync(store, { readOnly: true });
  try {
    await backup(reader, part, { rate: MOST_PAGES });
  } finally {
    reader.close();
  }
}

/**
 * What was under way or untold when a copy was made, and what a processor renews: the store that it
 * was copied from goes on with it, so that whoever starts with the copy looks it up before it is
 * recorded.
 * docs/records.md has the same for a restored PostgreSQL.
 */
const MARKS = [
  "UPDATE donations SET restored_at = ? WHERE state IN ('charging', 'action', 'pending', 'held') OR subscription_id IS NOT NULL",
  "UPDATE outbox SET dispatched_at = ? WHERE state = 'waiting' AND kind IN ('gift', 'renewal') AND dispatched_at IS NULL",
];

/** @returns how many gifts a copy holds. @throws where it is not sound. */
function prepare(file: string): number {
  const copy = new DatabaseSync(file);
  try {
    copy.exec('PRAGMA journal_mode = DELETE');
    const problems = (copy.prepare('PRAGMA integrity_check').all() as { integrity_check: string }[])
      .map((row) => row.integrity_check)
      .filter((found) => found !== 'ok');
    if (problems.length > 0) throw new Error(`it is not sound: ${problems[0]}`);
    for (const mark of MARKS) copy.prepare(mark).run(Date.now());
    return (copy.prepare('SELECT count(*) AS gifts FROM donations').get() as { gifts: number })
      .gifts;
  } finally {
    copy.close();
  }
}
