import { assembleServer } from './assemble-server.ts';
import { createOrganizations } from './config/create-organizations.ts';
import { determineRuntimeMode } from './config/runtime-mode.ts';
import type { Database } from './database/database.ts';
import { openDatabase } from './database/open-database.ts';
import { recordVersion } from './database/server-info.ts';
import type { Endpoint, EndpointOptions } from './endpoint.ts';
import { createAssetLoader } from './http/embed-assets.ts';
import { addFileName, ConfigurationError } from './lib/configuration-error.ts';
import { describeError } from './lib/describe-error.ts';
import { createLogger, type Logger } from './lib/logger.ts';
import { readPackageVersion } from './lib/package-file.ts';
import { createSkewLogger, warnAboutOrphans } from './observability/warnings.ts';

/**
 * Creates a donation server and opens its database. Call `start()` to run background jobs, and
 * `close()` to shut down.
 * @throws {ConfigurationError} if the configuration is invalid or the database cannot be opened.
 *
 * @example
 * ```ts
 * import { createEndpoint, listen, loadConfiguration } from 'donation-form-server';
 *
 * const endpoint = await createEndpoint({
 *   configuration: await loadConfiguration('donation-form.config.json'),
 *   environment: process.env,
 * });
 * const listener = await listen(endpoint.fetch, { host: '127.0.0.1', port: 0 });
 * endpoint.start();
 * const response = await fetch(`${listener.url}/healthz`);
 * console.log(await response.text()); // ok
 * await listener.close();
 * await endpoint.close();
 * ```
 */
export async function createEndpoint(options: EndpointOptions): Promise<Endpoint> {
  const { configuration, environment } = options;
  const { log = createLogger(environment.LOG_LEVEL, undefined, environment.LOG_FORMAT) } = options;
  const { endpoint, components } = await assembleServer(
    { configuration, environment, log },
    {
      openDatabase: () => openConfiguredDatabase({ ...options, log }),
      createOrganizations,
      loadAssets: createAssetLoader(),
    },
  );
  const { database, organizations, assetArchive } = components;
  const { hasBackgroundJobs, serverlessPlatform } = determineRuntimeMode(
    configuration,
    environment,
  );
  if (!hasBackgroundJobs && configuration.backgroundJobs === undefined)
    log.warn(
      `background jobs are off because ${serverlessPlatform} stops or freezes processes between ` +
        'requests; schedule "donation-form jobs run" every minute, then set "backgroundJobs": ' +
        'false in the configuration to turn off this warning',
    );
  // Donations can start before the files are archived.
  void assetArchive.startArchiving();
  await recordVersion(database, readPackageVersion()).catch((error: unknown) => {
    log.warn(describeError(error), "cannot record this release's version in the database");
  });
  await warnAboutOrphans(database, organizations, log);
  return endpoint;
}

async function openConfiguredDatabase({
  configuration,
  environment,
  log,
  databaseTimeout = 0,
}: EndpointOptions & { readonly log: Logger }): Promise<Database> {
  try {
    return await openDatabase({
      file: configuration.database,
      url: environment.DATABASE_URL,
      onSkewMeasured: createSkewLogger(log),
      startTimeout: databaseTimeout,
      onWait: () => log.warn({ milliseconds: databaseTimeout }, 'waiting for PostgreSQL'),
    });
  } catch (cause) {
    const error = new ConfigurationError(
      (environment.DATABASE_URL === undefined
        ? 'database: DATABASE_URL is not set, and the server cannot'
        : 'the DATABASE_URL environment variable: cannot') +
        ` open the database (${(cause as Error).message})`,
      { cause },
    );
    throw addFileName(error, configuration.file);
  }
}
