import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { AlertMonitor } from './alerts/alert-monitor.ts';
import { createAlertChannels } from './alerts/create-alert-channels.ts';
import { MetricReader } from './alerts/metric-reader.ts';
import { getAdminUrl } from './diagnostics/admin.ts';
import { ApiQuota } from './platform/api-quota.ts';
import {
  validateAndBuildForms,
  createOrganizations,
  readAdminKey,
  type Environment,
  type LoadedConfiguration,
} from './config/load-configuration.ts';
import { ConfigurationError } from './lib/configuration-error.ts';
import { DailyScheduler } from './jobs/daily-scheduler.ts';
import { Organizations } from './organizations/organizations.ts';
import { BackgroundJobs, type JobRunSummary, type RunDueJobsOptions } from './background-jobs.ts';
import { GoalTotalsCache } from './reporting/goal-totals.ts';
import { FraudProtection } from './fraud-protection/fraud-protection.ts';
import { createApp, type Handler } from './http/create-app.ts';
import { DonationServices } from './donations/donation-services.ts';
import { DonationRepository } from './donations/donation-repository.ts';
import { determineRuntimeMode } from './config/runtime-mode.ts';
import { createLogger, type Logger } from './lib/logger.ts';
import { createAdminApp } from './admin/create-admin-app.ts';
import type { LocalizedForm, Organization } from './organizations/organization.ts';
import { WebhookReceiver } from './webhooks/inbound/receiver.ts';
import { deleteExpiredDonorData } from './privacy/retention.ts';
import { describeError } from './lib/describe-error.ts';
import { createAssetLoader } from './http/embed-assets.ts';
import { AssetArchive } from './http/asset-archive.ts';
import { WebhookDispatcher } from './webhooks/outbound/dispatcher.ts';
import { createSkewLogger } from './observability/skew-warning.ts';
import { LifecycleLog } from './observability/lifecycle-log.ts';
import { recordVersion } from './database/record-version.ts';
import { createServerInfo } from './database/server-info.ts';
import { openDatabase } from './database/database.ts';
import { IgnoredSettingStats } from './reporting/ignored-setting-stats.ts';
import { Metrics } from './observability/metrics.ts';
import { ReadinessCheck } from './observability/readiness.ts';
import { warnAboutOrphans } from './observability/orphan-warning.ts';
import { createMetricsScraper } from './observability/metrics-endpoint.ts';
import { readPackageVersion } from './lib/package-file.ts';

/** Options for {@link createEndpoint}. */
export interface EndpointOptions {
  /** Configuration that {@link loadConfiguration} returned. */
  readonly configuration: LoadedConfiguration;
  /**
   * Environment variables: `DATABASE_URL`, `LOG_LEVEL`, `LOG_FORMAT`, and the variables that hold
   * the secrets named in the configuration.
   */
  readonly environment: Environment;
  /** Logger. By default, logs to standard output at `LOG_LEVEL`, in `LOG_FORMAT`. */
  readonly log?: Logger;
  /** Maximum time to wait for PostgreSQL to accept connections, in milliseconds. Default: 0. */
  readonly databaseTimeout?: number;
}

/** A donation server without a listener, for use in your own server. */
export interface Endpoint {
  /** Handles public requests. */
  readonly fetch: Handler;
  /** Handles admin requests. Must not be reachable from the internet. */
  readonly admin: Handler;
  /**
   * Resumes unfinished work and starts the background jobs. If background jobs are off, as on a
   * serverless platform, only logs the start. In that case, call {@link runJobs} instead.
   * @param listeners URLs of the endpoint, to include in the log.
   */
  readonly start: (listeners?: readonly string[]) => void;
  /**
   * Runs due background jobs until no job is left, the platform asks us to back off, or the time
   * limit is reached.
   * @throws {Error} if the database does not respond.
   */
  readonly runJobs: (options?: RunDueJobsOptions) => Promise<JobRunSummary>;
  /**
   * Replaces the organizations, including their keys and forms, with those in a new configuration.
   * @throws {ConfigurationError} if the new configuration is invalid. The current configuration
   *   then remains in use.
   */
  readonly reconfigure: (configuration: LoadedConfiguration) => Promise<void>;
  /**
   * Makes `/readyz` report that the server is shutting down. The server still handles requests.
   * @param reason reason to log, such as the name of a signal.
   */
  readonly markNotReady: (reason?: string) => void;
  /** Stops the background jobs and then closes the database. */
  readonly close: () => Promise<void>;
}

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
export async function createEndpoint({
  configuration,
  environment,
  log = createLogger(environment.LOG_LEVEL, undefined, environment.LOG_FORMAT),
  databaseTimeout = 0,
}: EndpointOptions): Promise<Endpoint> {
  const { hasBackgroundJobs, serverlessPlatform } = determineRuntimeMode(
    configuration,
    environment,
  );
  const key = readAdminKey(configuration, environment);
  const forms = validateAndBuildForms(configuration);
  const alertChannels = createAlertChannels(configuration, environment);
  const unmeasuredDatabase = await openDatabase({
    file: configuration.database,
    url: environment.DATABASE_URL,
    onSkewMeasured: createSkewLogger(log),
    startTimeout: databaseTimeout,
    onWait: () => log.warn({ milliseconds: databaseTimeout }, 'waiting for PostgreSQL'),
  }).catch((cause: unknown) => {
    throw toDatabaseError(cause, configuration, environment);
  });
  const lifecycle = new LifecycleLog(log);
  const metrics = new Metrics(readPackageVersion());
  const database = metrics.instrumentDatabase(unmeasuredDatabase);
  const { now } = database.clock;
  const outboundWebhooks = new WebhookDispatcher({ database, hasBackgroundJobs, log, now });
  const repository = new DonationRepository(database, {
    onTransition: metrics.recordDonation,
    outboundWebhooks,
  });
  const ignoredSettingStats = new IgnoredSettingStats({
    database,
    log,
    now,
    writesImmediately: !hasBackgroundJobs,
  });
  const loadOrganizations = (
    source: LoadedConfiguration,
    localizedForms: LocalizedForm[][],
  ): Promise<Organization[]> =>
    createOrganizations(source, {
      forms: localizedForms,
      environment,
      quotaFor: ({ id, apiCallsPerHour }) =>
        new ApiQuota({ database, organization: id, limit: apiCallsPerHour, now }),
    });
  const initialOrganizations = await loadOrganizations(configuration, forms).catch(
    async (error: unknown) => {
      await database.close();
      throw error;
    },
  );
  const fraudProtection = new FraudProtection({
    database,
    trustedProxies: configuration.listen.trustedProxies,
    maxConcurrentCharges: configuration.listen.maxConcurrentCharges,
    log,
    now,
  });
  const goalTotals = new GoalTotalsCache({ database, log, now });
  const organizations = new Organizations([]);
  const donationServices = new DonationServices({ repository, hasBackgroundJobs, log, now });
  const inboundWebhooks = new WebhookReceiver({
    database,
    organizations,
    hasBackgroundJobs,
    log,
    now,
  });
  const backgroundJobs = new BackgroundJobs({
    organizations,
    donationServices,
    inboundWebhooks,
    outboundWebhooks,
    database,
  });
  const replaceOrganizations = (replacement: readonly Organization[]): void => {
    organizations.replace(replacement);
    donationServices.replaceOrganizations(replacement);
    outboundWebhooks.replaceEndpoints(replacement);
    backgroundJobs.wakeStartedWorkers();
  };
  replaceOrganizations(initialOrganizations);
  const scheduler = new DailyScheduler({
    database,
    log,
    jobs: {
      retention: () =>
        deleteExpiredDonorData({
          database,
          organizations: () => organizations.all,
          log,
          now,
        }),
      'outbound-webhook-retention': () => outboundWebhooks.queue.deleteExpired(),
    },
  });
  const loadAssets = createAssetLoader();
  const assetArchive = new AssetArchive({ database, loadAssets, log, now });
  const readiness = new ReadinessCheck({ database, organizations, now });
  const scrape = createMetricsScraper({
    metrics,
    database,
    organizations,
    donationServices,
    now,
    folder: database.isShared ? undefined : dirname(configuration.database),
  });
  let current = configuration;
  const alertMonitor = new AlertMonitor({
    database,
    metrics: new MetricReader(metrics.registry),
    refreshMetrics: scrape,
    source: () => ({
      server: hostname(),
      adminUrl: current.alerts?.adminUrl ?? (current.admin && getAdminUrl(current.admin)),
    }),
    log,
  });
  alertMonitor.replaceChannels(alertChannels);
  const runJobs: Endpoint['runJobs'] = async (options) => {
    const [summary] = await Promise.all([backgroundJobs.runDueJobs(options), scheduler.wake()]);
    await alertMonitor.check();
    return summary;
  };
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
  await warnAboutOrphans({ database, organizations, log });
  const handlePublicRequest = createApp({
    organizations,
    donationServices,
    repository,
    ignoredSettingStats,
    fraudProtection,
    goalTotals,
    serverInfo: createServerInfo(database),
    inboundWebhooks,
    loadAssets,
    assetArchive,
    metrics,
    log,
    now,
  });
  return {
    fetch: (request, connection) =>
      lifecycle.trackRequest(() => handlePublicRequest(request, connection)),
    admin: createAdminApp({
      organizations,
      donationServices,
      ignoredSettingStats,
      repository,
      inboundWebhooks,
      outboundWebhooks,
      runJobs,
      database,
      scripts: loadAssets,
      readiness,
      scrape,
      key,
      configuration: () => current,
      log,
      now,
    }),
    start: (listeners) => {
      lifecycle.logStart({
        version: readPackageVersion(),
        database: database.location,
        organizations: organizations.all.map(({ id }) => id),
        listeners,
      });
      if (!hasBackgroundJobs) return;
      backgroundJobs.startWorkers();
      alertMonitor.start();
      void scheduler.wake();
    },
    runJobs,
    reconfigure: async (newConfiguration) => {
      const newAlertChannels = createAlertChannels(newConfiguration, environment);
      const newOrganizations = await loadOrganizations(
        newConfiguration,
        validateAndBuildForms(newConfiguration),
      );
      alertMonitor.replaceChannels(newAlertChannels);
      replaceOrganizations(newOrganizations);
      current = newConfiguration;
      await warnAboutOrphans({ database, organizations, log });
    },
    markNotReady: (reason) => {
      lifecycle.beginStop(reason);
      readiness.markNotReady();
    },
    close: async () => {
      lifecycle.beginStop();
      await Promise.all([
        lifecycle.trackPart('script files', assetArchive.stopArchiving()),
        lifecycle.trackPart('daily jobs', scheduler.stop()),
        lifecycle.trackPart('alerts', alertMonitor.stop()),
        lifecycle.trackPart('background jobs', backgroundJobs.stopWorkers()),
      ]);
      fraudProtection.stopCleanup();
      await lifecycle.trackPart('database', ignoredSettingStats.writePendingCounts());
      await lifecycle.trackPart('database', database.close());
      lifecycle.logStop();
    },
  };
}

function toDatabaseError(
  cause: unknown,
  { file }: LoadedConfiguration,
  { DATABASE_URL: url }: Environment,
): ConfigurationError {
  const error = new ConfigurationError(
    (url === undefined
      ? 'database: DATABASE_URL is not set, and the server cannot'
      : 'the DATABASE_URL environment variable: cannot') +
      ` open the database (${(cause as Error).message})`,
    { cause },
  );
  return file === undefined ? error : error.withFile(file);
}
