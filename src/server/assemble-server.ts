import { hostname } from 'node:os';
import { dirname } from 'node:path';
import type { AdminContext } from './admin/admin-context.ts';
import { createAdminApp } from './admin/create-admin-app.ts';
import { AlertMonitor } from './alerts/alert-monitor.ts';
import { createAlertChannels } from './alerts/create-alert-channels.ts';
import { MetricReader } from './alerts/metric-reader.ts';
import { BackgroundJobs } from './background-jobs.ts';
import type { createOrganizations } from './config/create-organizations.ts';
import type { LoadedConfiguration } from './config/load-configuration.ts';
import { readAdminKey, readIdentityProvider } from './config/read-secrets.ts';
import { determineRuntimeMode } from './config/runtime-mode.ts';
import { buildForms } from './config/validate-configuration.ts';
import type { Database } from './database/database.ts';
import { createServerInfo } from './database/server-info.ts';
import { getPublicAdminUrl } from './diagnostics/admin.ts';
import { DonationRepository } from './donations/donation-repository.ts';
import { DonationServices } from './donations/donation-service.ts';
import { DonorIndexer } from './donations/donor-index.ts';
import type { Endpoint, EndpointOptions } from './endpoint.ts';
import {
  FraudProtection,
  type FraudProtectionOptions,
} from './fraud-protection/fraud-protection.ts';
import { AssetArchive } from './http/asset-archive.ts';
import { createApp } from './http/create-app.ts';
import type { AssetLoader } from './http/embed-assets.ts';
import { DailyScheduler } from './jobs/daily-scheduler.ts';
import type { Logger } from './lib/logger.ts';
import { readPackageVersion } from './lib/package-file.ts';
import { deleteSentNotifyEmails } from './mail/delete-sent-notify-emails.ts';
import { MailSender } from './mail/mail-sender.ts';
import { StaffMailer } from './mail/staff-mailer.ts';
import { TestMailSender } from './mail/test-mail-sender.ts';
import { LifecycleLog } from './observability/lifecycle-log.ts';
import { Metrics } from './observability/metrics.ts';
import { createMetricsScraper } from './observability/metrics-endpoint.ts';
import { ReadinessCheck } from './observability/readiness.ts';
import { warnAboutOrphans } from './observability/warnings.ts';
import type { LocalizedForm, Organization } from './organizations/organization.ts';
import { Organizations } from './organizations/organizations.ts';
import { ApiQuota } from './platform/api-quota.ts';
import { deleteExpiredDonorData, eraseExpiredReceipts } from './privacy/retention.ts';
import { ReceiptIssuer } from './receipts/receipt-issuer.ts';
import { ReceiptRenderer } from './receipts/receipt-renderer.ts';
import { GoalTotalsCache } from './reporting/goal-totals.ts';
import { IgnoredSettingStats } from './reporting/ignored-setting-stats.ts';
import { ApiTokenRepository } from './staff/api-tokens.ts';
import { AuditLog } from './staff/audit-log.ts';
import { OneTimeTokens } from './staff/one-time-tokens.ts';
import { StaffRepository } from './staff/staff-repository.ts';
import { WebhookReceiver, type WebhookReceiverOptions } from './webhooks/inbound/receiver.ts';
import { WebhookDispatcher } from './webhooks/outbound/dispatcher.ts';

export interface AssemblyOptions extends Pick<EndpointOptions, 'configuration' | 'environment'> {
  readonly log: Logger;
}

/** Connections to the outside, and limits, which tests replace. */
export interface ServerEffects {
  /** Opens the database, whose clock is the server's clock. */
  readonly openDatabase: () => Promise<Database>;
  /** With their connections to platforms and payment providers. */
  readonly createOrganizations: typeof createOrganizations;
  readonly loadAssets: AssetLoader;
  readonly fraudProtection?: Pick<FraudProtectionOptions, 'challengeCost' | 'databaseTimeout'>;
  readonly inboundWebhooks?: Pick<WebhookReceiverOptions, 'hookTimeout'>;
}

export type ServerComponents = ReturnType<typeof createComponents>;

/**
 * @throws {ConfigurationError} if the configuration is invalid or the database cannot be opened.
 */
export async function assembleServer(
  options: AssemblyOptions,
  effects: ServerEffects,
): Promise<{ readonly endpoint: Endpoint; readonly components: ServerComponents }> {
  const { configuration, environment, log } = options;
  const { hasBackgroundJobs } = determineRuntimeMode(configuration, environment);
  const adminKey = readAdminKey(configuration, environment);
  const identityProvider = readIdentityProvider(configuration, environment);
  const forms = buildForms(configuration);
  const alertChannels = createAlertChannels(configuration, environment);
  const metrics = new Metrics(readPackageVersion());
  const database = metrics.instrumentDatabase(await effects.openDatabase());
  const loadOrganizations = (
    source: LoadedConfiguration,
    localizedForms: LocalizedForm[][],
  ): Promise<Organization[]> =>
    effects.createOrganizations(source, {
      forms: localizedForms,
      environment,
      createQuota: ({ id, apiCallsPerHour }) =>
        new ApiQuota({
          database,
          organization: id,
          limit: apiCallsPerHour,
          now: database.clock.now,
        }),
    });
  const organizations = await loadOrganizations(configuration, forms).catch(
    async (error: unknown) => {
      await database.close();
      throw error;
    },
  );
  const components = createComponents(options, effects, database, metrics, hasBackgroundJobs);
  components.replaceOrganizations(organizations);
  components.alertMonitor.replaceChannels(alertChannels);
  const reconfigure: Endpoint['reconfigure'] = async (source) => {
    const newAlertChannels = createAlertChannels(source, environment);
    const newOrganizations = await loadOrganizations(source, buildForms(source));
    components.alertMonitor.replaceChannels(newAlertChannels);
    components.replaceOrganizations(newOrganizations);
    components.settings.configuration = source;
    await warnAboutOrphans(database, components.organizations, log);
  };
  return {
    endpoint: { ...createEndpointOf(components, { key: adminKey, identityProvider }), reconfigure },
    components,
  };
}

/** Creates a server's components without organizations. */
function createComponents(
  { configuration, log }: AssemblyOptions,
  effects: ServerEffects,
  database: Database,
  metrics: Metrics,
  hasBackgroundJobs: boolean,
) {
  const { now } = database.clock;
  const { loadAssets } = effects;
  const base = { database, hasBackgroundJobs, log, now };
  const settings = { configuration };
  const outboundWebhooks = new WebhookDispatcher(base);
  const outboundMail = new MailSender(base);
  const receiptRenderer = new ReceiptRenderer(log);
  const receipts = new ReceiptIssuer({
    ...base,
    notifier: outboundMail.receiptMessages,
    renderer: receiptRenderer,
    onChange: (organization) => outboundMail.wakeWorker(organization),
  });
  const repository = new DonationRepository(database, {
    onTransition: metrics.recordDonation,
    outboundWebhooks,
    outboundMail,
    receipts,
  });
  const organizations = new Organizations([]);
  const donationServices = new DonationServices({ ...base, repository });
  const inboundWebhooks = new WebhookReceiver({
    ...base,
    ...effects.inboundWebhooks,
    organizations,
  });
  const backgroundJobs = new BackgroundJobs({
    database,
    organizations,
    donationServices,
    inboundWebhooks,
    outboundWebhooks,
    outboundMail,
    receipts,
    donorIndexer: new DonorIndexer(base),
  });
  const staff = new StaffRepository(database);
  const auditLog = new AuditLog(database);
  const folder = database.isShared ? undefined : dirname(configuration.database);
  const scrape = createMetricsScraper({
    ...base,
    metrics,
    folder,
    organizations,
    donationServices,
  });
  return {
    ...base,
    settings,
    metrics,
    repository,
    organizations,
    donationServices,
    inboundWebhooks,
    outboundWebhooks,
    outboundMail,
    receipts,
    receiptRenderer,
    testMail: new TestMailSender(now),
    staffMail: new StaffMailer(organizations, base),
    backgroundJobs,
    scrape,
    loadAssets,
    assetArchive: new AssetArchive({ ...base, loadAssets }),
    goalTotals: new GoalTotalsCache(base),
    serverInfo: createServerInfo(database),
    staff,
    oneTimeTokens: new OneTimeTokens(database),
    apiTokens: new ApiTokenRepository(database, staff),
    auditLog,
    readiness: new ReadinessCheck({ ...base, organizations }),
    ignoredSettingStats: new IgnoredSettingStats({
      ...base,
      writesImmediately: !hasBackgroundJobs,
    }),
    fraudProtection: new FraudProtection({
      ...base,
      ...effects.fraudProtection,
      trustedProxies: configuration.listen.trustedProxies,
      maxConcurrentCharges: configuration.listen.maxConcurrentCharges,
    }),
    scheduler: new DailyScheduler({
      ...base,
      jobs: {
        retention: () =>
          deleteExpiredDonorData({ ...base, organizations: () => organizations.all }),
        'receipt-retention': () => eraseExpiredReceipts(base),
        'tribute-emails': () => deleteSentNotifyEmails(database),
        'outbound-webhook-retention': () => outboundWebhooks.queue.deleteExpired(),
        'audit-log-retention': () => auditLog.deleteExpired(settings.configuration.auditLogDays),
      },
    }),
    alertMonitor: new AlertMonitor({
      ...base,
      metrics: new MetricReader(metrics.registry),
      refreshMetrics: scrape,
      source: () => ({
        server: hostname(),
        adminUrl: getPublicAdminUrl(settings.configuration),
      }),
    }),
    replaceOrganizations: (replacement: readonly Organization[]): void => {
      receiptRenderer.prepare(replacement);
      organizations.replace(replacement);
      donationServices.replaceOrganizations(replacement);
      outboundWebhooks.replaceEndpoints(replacement);
      outboundMail.replaceOrganizations(replacement);
      receipts.replaceOrganizations(replacement);
      backgroundJobs.wakeStartedWorkers();
    },
  };
}

function createEndpointOf(
  components: ServerComponents,
  adminOptions: Pick<AdminContext, 'key' | 'identityProvider'>,
): Omit<Endpoint, 'reconfigure'> {
  const { database, organizations, backgroundJobs, scheduler, alertMonitor } = components;
  const { assetArchive, fraudProtection, ignoredSettingStats, readiness } = components;
  const { receiptRenderer } = components;
  const lifecycle = new LifecycleLog(components.log);
  const handlePublicRequest = createApp(components);
  const runJobs: Endpoint['runJobs'] = async (options) => {
    const [summary] = await Promise.all([backgroundJobs.runDueJobs(options), scheduler.wake()]);
    await alertMonitor.check();
    return summary;
  };
  return {
    fetch: (request, connection) =>
      lifecycle.trackRequest(() => handlePublicRequest(request, connection)),
    admin: createAdminApp({
      ...components,
      runJobs,
      ...adminOptions,
      configuration: () => components.settings.configuration,
    }),
    start: (listeners) => {
      lifecycle.logStart({
        version: readPackageVersion(),
        database: database.location,
        organizations: organizations.all.map(({ id }) => id),
        listeners,
      });
      if (!components.hasBackgroundJobs) return;
      backgroundJobs.startWorkers();
      alertMonitor.start();
      void scheduler.wake();
    },
    runJobs,
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
      await receiptRenderer.close();
      fraudProtection.stopCleanup();
      await lifecycle.trackPart('database', ignoredSettingStats.writePendingCounts());
      await lifecycle.trackPart('database', database.close());
      lifecycle.logStop();
    },
  };
}
