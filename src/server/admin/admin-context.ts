import type { JobRunSummary, RunDueJobsOptions } from '../background-jobs.ts';
import type { LoadedConfiguration } from '../config/load-configuration.ts';
import type { ServerBase } from '../database/database.ts';
import type { AppOptions } from '../http/context.ts';
import type { IdentityProvider } from '../lib/discover-identity-provider.ts';
import type { MailSender } from '../mail/mail-sender.ts';
import type { StaffMailer } from '../mail/staff-mailer.ts';
import type { TestMailSender } from '../mail/test-mail-sender.ts';
import type { createMetricsScraper } from '../observability/metrics-endpoint.ts';
import type { ReadinessCheck } from '../observability/readiness.ts';
import type { ReceiptIssuer } from '../receipts/receipt-issuer.ts';
import type { ReceiptRenderer } from '../receipts/receipt-renderer.ts';
import type { ApiTokenRepository } from '../staff/api-tokens.ts';
import type { AuditLog } from '../staff/audit-log.ts';
import type { OneTimeTokens } from '../staff/one-time-tokens.ts';
import type { StaffRepository } from '../staff/staff-repository.ts';
import type { WebhookDispatcher } from '../webhooks/outbound/dispatcher.ts';

type SharedParts =
  | 'repository'
  | 'organizations'
  | 'donationServices'
  | 'inboundWebhooks'
  | 'ignoredSettingStats'
  | 'loadAssets';

/** What the staff's actions, pages, and read models read and change. */
export interface AdminContext extends ServerBase, Pick<AppOptions, SharedParts> {
  readonly outboundWebhooks: WebhookDispatcher;
  readonly outboundMail: MailSender;
  readonly testMail: TestMailSender;
  readonly staffMail: StaffMailer;
  readonly staff: StaffRepository;
  readonly oneTimeTokens: OneTimeTokens;
  readonly apiTokens: ApiTokenRepository;
  readonly auditLog: AuditLog;
  readonly receipts: ReceiptIssuer;
  readonly receiptRenderer: ReceiptRenderer;
  readonly runJobs: (options: RunDueJobsOptions) => Promise<JobRunSummary>;
  /** The admin key, which also secures the sessions. */
  readonly key: string | undefined;
  /** The organization's own identity provider, if there is one. */
  readonly identityProvider?: IdentityProvider | undefined;
  readonly configuration: () => LoadedConfiguration;
  readonly scrape: ReturnType<typeof createMetricsScraper>;
  readonly readiness: Pick<ReadinessCheck, 'checkReadiness'>;
}
