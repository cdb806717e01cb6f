import type { JobRunSummary, RunDueJobsOptions } from '../background-jobs.ts';
import type { LoadedConfiguration } from '../config/load-configuration.ts';
import type { Database } from '../database/database.ts';
import type { DonationRepository } from '../donations/donation-repository.ts';
import type { DonationServices } from '../donations/donation-service.ts';
import type { AssetLoader } from '../http/embed-assets.ts';
import type { Logger } from '../lib/logger.ts';
import type { Exposition } from '../observability/metrics-endpoint.ts';
import type { ReadinessCheck } from '../observability/readiness.ts';
import type { Organizations } from '../organizations/organizations.ts';
import type { IgnoredSettingStats } from '../reporting/ignored-setting-stats.ts';
import type { WebhookReceiver } from '../webhooks/inbound/receiver.ts';
import type { WebhookDispatcher } from '../webhooks/outbound/dispatcher.ts';

/** What the staff's actions, pages, and read models read and change. */
export interface AdminContext {
  readonly repository: DonationRepository;
  readonly organizations: Organizations;
  readonly donationServices: DonationServices;
  readonly inboundWebhooks: WebhookReceiver;
  readonly outboundWebhooks: WebhookDispatcher;
  readonly ignoredSettingStats: IgnoredSettingStats;
  readonly runJobs: (options: RunDueJobsOptions) => Promise<JobRunSummary>;
  readonly database: Database;
  readonly log: Logger;
  readonly now: () => number;
  /** The admin key, which also secures the sessions. */
  readonly key: string | undefined;
  readonly scripts: AssetLoader;
  readonly configuration: () => LoadedConfiguration;
  readonly scrape: () => Promise<Exposition>;
  readonly readiness: Pick<ReadinessCheck, 'checkReadiness'>;
}
