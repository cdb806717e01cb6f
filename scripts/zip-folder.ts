import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Zippable, zipSync } from 'fflate';

/** A fixed time, so that the same files make the same archive. */
const MODIFIED = '2026-01-01T00:00:00Z';

/** Writes a zip archive that contains the folder itself, as WordPress requires of a plugin. */
export async function zipFolder(folder: string, archive: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files: Zippable = {};
  for (const entry of entries.filter((item) => item.isFile())) {
    const path = join(entry.parentPath, entry.name);
    files[join(basename(folder), path.slice(folder.length + 1))] = await readFile(path);
  }
  await writeFile(archive, zipSync(files, { level: 9, mtime: MODIFIED }));
}
