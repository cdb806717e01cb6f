import { dirname } from 'node:path';
import { ApiQuota } from './platform/api-quota.ts';
import {
  formsOf,
  openOrganizations,
  operatorKey,
  type Environment,
  type LoadedConfiguration,
} from './config/load-configuration.ts';
import { ConfigurationError } from './lib/configuration-error.ts';
import { Scheduler } from './jobs/scheduler.ts';
import { FormRegistry } from './donations/form-registry.ts';
import { runDueJobs, type JobRunSummary, type RunDueJobsOptions } from './run-due-jobs.ts';
import { GoalFigures } from './reporting/goal-totals.ts';
import { FraudProtection } from './fraud-protection/fraud-protection.ts';
import { createApp, type Handler } from './http/create-app.ts';
import { DonationRepository } from './donations/donation-repository.ts';
import { endsBetweenRequests } from './config/runtime-mode.ts';
import { createLog, type Logger } from './lib/logger.ts';
import { createOperatorHandler } from './admin/create-admin-app.ts';
import type { Organization } from './organizations/organization.ts';
import { WebhookReceiver } from './webhooks/inbound/receiver.ts';
import { deleteOldDonors } from './privacy/retention.ts';
import { describeError } from './lib/describe-error.ts';
import { builtScripts } from './http/embed-assets.ts';
import { AssetArchive } from './http/asset-archive.ts';
import { WebhookDispatcher } from './webhooks/outbound/dispatcher.ts';
import { openDatabase, type Database } from './database/database.ts';
import { IgnoredSettingStats } from './reporting/ignored-setting-stats.ts';
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
   * process stays alive it does nothing: {@link runDueJobs} does.
   */
  readonly start: () => void;
  /**
   * Works off what is due until nothing is, or the platform wants silence, or the time is up.
   * @throws where the store does not answer.
   */
  readonly drain: (options?: RunDueJobsOptions) => Promise<JobRunSummary>;
  /**
   * Takes the organisations, their keys and forms as a configuration has them now.
   * @throws {ConfigurationError}, and goes on as before.
   */
  readonly reconfigure: (configuration: LoadedConfiguration) => Promise<void>;
  /** Is no longer ready for requests, as `/readyz` says; those that come are still answered. */
  readonly markNotReady: () => void;
  /** Ends after the calls that are under way, and closes the store. */
  readonly close: () => Promise<void>;
}

/** Opens the store and everything that works on it. @throws {ConfigurationError} */
export async function createEndpoint({
  configuration,
  environment,
  log = createLog(environment.LOG_LEVEL),
}: EndpointOptions): Promise<Endpoint> {
  const isDrained = endsBetweenRequests(configuration, environment);
  const key = operatorKey(configuration, environment);
  formsOf(configuration);
  const opened = await openDatabase({
    file: configuration.store,
    url: environment.DATABASE_URL,
  }).catch((cause: unknown) => {
    throw storeError(cause, configuration, environment);
  });
  const metrics = new Metrics(packageVersion());
  const store = metrics.measured(opened);
  const now = Date.now;
  const siteWebhooks = new WebhookDispatcher({ store, isDrained, log, now });
  const repository = new DonationRepository(store, {
    now,
    onTransition: metrics.gift,
    outboundWebhooks: siteWebhooks,
  });
  const ignoredSettings = new IgnoredSettingStats({ store, log, now, writesAtOnce: isDrained });
  const open = (given: LoadedConfiguration): Promise<Organization[]> =>
    openOrganizations(given, {
      environment,
      budgetOf: ({ id, budget }) => new ApiQuota({ store, organization: id, limit: budget, now }),
    });
  const organizations = await open(configuration).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const guard = new FraudProtection({
    store,
    trustedProxies: configuration.listen.trustedProxies,
    log,
    now,
  });
  const figures = new GoalFigures({ store, log, now });
  siteWebhooks.use(organizations);
  const formRegistry = new FormRegistry(organizations, {
    repository,
    isDrained,
    log,
    now,
  });
  const platformWebhooks = new WebhookReceiver({ store, formRegistry, isDrained, log, now });
  const daily = new Scheduler({
    store,
    log,
    now,
    jobs: {
      retention: () =>
        deleteOldDonors({ store, organizations: () => formRegistry.organizations, log, now }),
      'site-webhooks': () => siteWebhooks.box.forgetOld(),
    },
  });
  const scripts = builtScripts();
  const assetArchive = new AssetArchive({ store, scripts, log, now });
  const readiness = new ReadinessCheck({ store, formRegistry, now });
  const scrape = createScrape({
    metrics,
    store,
    formRegistry,
    now,
    folder: store.isShared ? undefined : dirname(configuration.store),
  });
  let current = configuration;
  await assetArchive.start();
  await warnOfOrphans({ store, formRegistry, log });
  return {
    fetch: createApp({
      formRegistry,
      repository,
      ignoredSettings,
      guard,
      figures,
      platformWebhooks,
      scripts,
      assetArchive,
      metrics,
      log,
      now,
    }),
    operator: createOperatorHandler({
      formRegistry,
      ignoredSettings,
      repository,
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
      formRegistry.start();
      platformWebhooks.start();
      siteWebhooks.start();
      if (!isDrained) void daily.wake();
    },
    drain: async (options) =>
      (
        await Promise.all([
          runDueJobs({ formRegistry, platformWebhooks, siteWebhooks, store }, options),
          daily.wake(),
        ])
      )[0],
    reconfigure: async (given) => {
      const taken = await open(given);
      siteWebhooks.use(taken);
      formRegistry.reconfigure(taken);
      current = given;
      await warnOfOrphans({ store, formRegistry, log });
    },
    markNotReady: () => {
      readiness.end();
    },
    close: async () => {
      assetArchive.stop();
      await Promise.all([
        daily.stop(),
        formRegistry.stop(),
        platformWebhooks.stop(),
        siteWebhooks.stop(),
      ]);
      guard.stop();
      await ignoredSettings.flush();
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
  formRegistry,
  log,
}: {
  readonly store: Database;
  readonly formRegistry: FormRegistry;
  readonly log: Logger;
}): Promise<void> {
  const orphans = await readOrphans(
    store,
    formRegistry.organizations.map(({ id }) => id),
  ).catch((error: unknown) => {
    log.warn(
      describeError(error),
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
