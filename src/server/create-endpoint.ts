import { dirname } from 'node:path';
import { Budget } from './platform/api-quota.ts';
import {
  formsOf,
  openOrganizations,
  operatorKey,
  type Environment,
  type LoadedConfiguration,
} from './config/load-configuration.ts';
import { ConfigurationError } from './lib/configuration-error.ts';
import { Daily } from './jobs/daily-jobs.ts';
import { Desks } from './donations/form-registry.ts';
import { drain, type Drained, type DrainOptions } from './run-due-jobs.ts';
import { GoalFigures } from './reporting/goal-totals.ts';
import { Guard } from './fraud-protection/guard.ts';
import { createHandler, type Handler } from './http/create-app.ts';
import { Journal } from './donations/donation-repository.ts';
import { endsBetweenRequests } from './config/runtime-mode.ts';
import { createLog, type Logger } from './lib/logger.ts';
import { createOperatorHandler } from './admin/create-admin-app.ts';
import type { Organization } from './organizations/organization.ts';
import { PlatformWebhooks } from './webhooks/inbound/receiver.ts';
import { deleteOldDonors } from './privacy/retention.ts';
import { aboutError } from './lib/describe-error.ts';
import { builtScripts } from './http/embed-assets.ts';
import { ScriptShelf } from './http/asset-archive.ts';
import { SiteWebhooks } from './webhooks/outbound/dispatcher.ts';
import { openStore, type Store } from './database/database.ts';
import { Tally } from './reporting/ignored-settings.ts';
import { Metrics } from './observability/metrics.ts';
import { ReadinessCheck } from './observability/readiness.ts';
import { readOrphans } from './observability/queries.ts';
import { createScrape } from './observability/metrics-endpoint.ts';
import { packageVersion } from './lib/package-file.ts';

/** What an endpoint is opened with. */
export interface EndpointOptions {
  readonly configuration: LoadedConfiguration;
  /** Where the keys are that the configuration names, `DATABASE_URL` and `LOG_LEVEL`. */
  readonly environment: Environment;
  readonly log?: Logger;
}

/** The endpoint without a listener: for a server of one's own. */
export interface Endpoint {
  /** Answers what the public may ask. */
  readonly fetch: Handler;
  /** Answers what the operator may ask: the public must not reach it. */
  readonly operator: Handler;
  /**
   * Goes on with what an earlier run left unfinished, and from now on with what is due. Where no
   * process stays alive it does nothing: {@link drain} does.
   */
  readonly start: () => void;
  /**
   * Works off what is due until nothing is, or the platform wants silence, or the time is up.
   * @throws where the store does not answer.
   */
  readonly drain: (options?: DrainOptions) => Promise<Drained>;
  /**
   * Takes the organisations, their keys and forms as a configuration has them now.
   * @throws {ConfigurationError}, and goes on as before.
   */
  readonly use: (configuration: LoadedConfiguration) => Promise<void>;
  /** Is no longer ready for requests, as `/readyz` says; those that come are still answered. */
  readonly leave: () => void;
  /** Ends after the calls that are under way, and closes the store. */
  readonly close: () => Promise<void>;
}

/** Opens the store and everything that works on it. @throws {ConfigurationError} */
export async function openEndpoint({
  configuration,
  environment,
  log = createLog(environment.LOG_LEVEL),
}: EndpointOptions): Promise<Endpoint> {
  const isDrained = endsBetweenRequests(configuration, environment);
  const key = operatorKey(configuration, environment);
  formsOf(configuration);
  const opened = await openStore({
    file: configuration.store,
    url: environment.DATABASE_URL,
  }).catch((cause: unknown) => {
    throw storeError(cause, configuration, environment);
  });
  const metrics = new Metrics(packageVersion());
  const store = metrics.measured(opened);
  const now = Date.now;
  const siteWebhooks = new SiteWebhooks({ store, isDrained, log, now });
  const journal = new Journal(store, { now, onStep: metrics.gift, outboundWebhooks: siteWebhooks });
  const tally = new Tally({ store, log, now, writesAtOnce: isDrained });
  const open = (given: LoadedConfiguration): Promise<Organization[]> =>
    openOrganizations(given, {
      environment,
      budgetOf: ({ id, budget }) => new Budget({ store, organization: id, limit: budget, now }),
    });
  const organizations = await open(configuration).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const guard = new Guard({ store, trustedProxies: configuration.listen.trustedProxies, log, now });
  const figures = new GoalFigures({ store, log, now });
  siteWebhooks.use(organizations);
  const desks = new Desks(organizations, {
    journal,
    isDrained,
    log,
    now,
  });
  const platformWebhooks = new PlatformWebhooks({ store, desks, isDrained, log, now });
  const daily = new Daily({
    store,
    log,
    now,
    jobs: {
      retention: () =>
        deleteOldDonors({ store, organizations: () => desks.organizations, log, now }),
      'site-webhooks': () => siteWebhooks.box.forgetOld(),
    },
  });
  const scripts = builtScripts();
  const shelf = new ScriptShelf({ store, scripts, log, now });
  const readiness = new ReadinessCheck({ store, desks, now });
  const scrape = createScrape({
    metrics,
    store,
    desks,
    now,
    folder: store.isShared ? undefined : dirname(configuration.store),
  });
  let current = configuration;
  await shelf.start();
  await warnOfOrphans({ store, desks, log });
  return {
    fetch: createHandler({
      desks,
      journal,
      tally,
      guard,
      figures,
      platformWebhooks,
      scripts,
      shelf,
      metrics,
      log,
      now,
    }),
    operator: createOperatorHandler({
      desks,
      tally,
      journal,
      platformWebhooks,
      siteWebhooks,
      store,
      scripts,
      readiness,
      scrape,
      key,
      configuration: () => current,
      log,
      now,
    }),
    start: () => {
      desks.start();
      platformWebhooks.start();
      siteWebhooks.start();
      if (!isDrained) void daily.wake();
    },
    drain: async (options) =>
      (
        await Promise.all([
          drain({ desks, platformWebhooks, siteWebhooks, store }, options),
          daily.wake(),
        ])
      )[0],
    use: async (given) => {
      const taken = await open(given);
      siteWebhooks.use(taken);
      desks.use(taken);
      current = given;
      await warnOfOrphans({ store, desks, log });
    },
    leave: () => {
      readiness.end();
    },
    close: async () => {
      shelf.stop();
      await Promise.all([daily.stop(), desks.stop(), platformWebhooks.stop(), siteWebhooks.stop()]);
      guard.stop();
      await tally.flush();
      await store.close();
    },
  };
}

/**
 * Logs what waits of organisations that were renamed or taken out: no server that starts with this
 * configuration works it off.
 */
async function warnOfOrphans({
  store,
  desks,
  log,
}: {
  readonly store: Store;
  readonly desks: Desks;
  readonly log: Logger;
}): Promise<void> {
  const orphans = await readOrphans(
    store,
    desks.organizations.map(({ id }) => id),
  ).catch((error: unknown) => {
    log.warn(
      aboutError(error),
      'it could not be found out whether anything waits of organisations that the configuration does not have',
    );
    return [];
  });
  for (const orphan of orphans)
    log.warn(
      orphan,
      'gifts or events wait of an organisation that the configuration does not have',
    );
}

function storeError(
  cause: unknown,
  { file }: LoadedConfiguration,
  { DATABASE_URL: url }: Environment,
): ConfigurationError {
  const error = new ConfigurationError(
    `${url === undefined ? 'store' : 'the environment variable DATABASE_URL'}: found a store that cannot be used, expected one that opens: ${(cause as Error).message}`,
    { cause },
  );
  return file === undefined ? error : error.in(file);
}
