import type { Database } from '../database/database.ts';
import type { Organizations } from '../organizations/organizations.ts';
import { describeError } from '../lib/describe-error.ts';
import type { Logger } from '../lib/logger.ts';
import { countOrphanedWork } from './queries.ts';

/** Logs the work of organizations that no server with this configuration processes. */
export async function warnAboutOrphans({
  database,
  organizations,
  log,
}: {
  readonly database: Database;
  readonly organizations: Organizations;
  readonly log: Logger;
}): Promise<void> {
  const orphans = await countOrphanedWork(
    database,
    organizations.all.map(({ id }) => id),
  ).catch((error: unknown) => {
    log.warn(
      describeError(error),
      'cannot check for unfinished donations to organizations that are not in the configuration',
    );
    return [];
  });
  for (const orphan of orphans)
    log.warn(
      orphan,
      'found unfinished donations or events for an organization that is not in the configuration; ' +
        'add the organization back',
    );
}
