import type { JobRunSummary, RunDueJobsOptions } from '../background-jobs.ts';
import type { Database } from '../database/database.ts';
import type { DonationRepository } from '../donations/donation-repository.ts';
import type { DonationServices } from '../donations/donation-service.ts';
import type { Logger } from '../lib/logger.ts';
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
}
