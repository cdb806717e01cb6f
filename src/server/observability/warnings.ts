import type { Database } from '../database/database.ts';
import { describeError } from '../lib/describe-error.ts';
import type { Logger } from '../lib/logger.ts';
import type { Organizations } from '../organizations/organizations.ts';
import { countOrphanedWork } from './queries.ts';

/** Logs the work of organizations that no server with this configuration processes. */
export async function warnAboutOrphans(
  database: Database,
  organizations: Organizations,
  log: Logger,
): Promise<void> {
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

/** In milliseconds. */
const MAX_SKEW = 10_000;

/** Warns once if the clocks differ, and logs once when they agree again. */
export function createSkewLogger(log: Logger): (skew: number) => void {
  let wasSkewed = false;
  return (skew) => {
    const isSkewed = Math.abs(skew) > MAX_SKEW;
    const seconds = Math.round(skew / 1_000);
    if (isSkewed && !wasSkewed)
      log.warn(
        `this server's clock is ${Math.abs(seconds)} seconds ${skew > 0 ? 'ahead of' : 'behind'} ` +
          "the database's clock; turn on time synchronization on both machines",
      );
    else if (!isSkewed && wasSkewed)
      log.info("this server's clock agrees with the database's clock again");
    wasSkewed = isSkewed;
  };
}
