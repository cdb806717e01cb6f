import type { Database } from './database.ts';
import { createServerInfo } from './server-info.ts';

/** Writes only if the version has changed. */
export async function recordVersion(
  database: Pick<Database, 'db' | 'writer'>,
  version: string,
): Promise<void> {
  const info = createServerInfo(database);
  if ((await info.get('version')) !== version) await info.set('version', version);
}
