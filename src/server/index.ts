export {
  loadConfiguration,
  type Environment,
  type LoadedConfiguration,
} from './config/load-configuration.ts';
export { ConfigurationError } from './lib/configuration-error.ts';
export { checkAll } from './diagnostics/run-checks.ts';
export type { Finding } from './lib/finding.ts';
export type { JobRunSummary, RunDueJobsOptions } from './run-due-jobs.ts';
export { createEndpoint, type Endpoint, type EndpointOptions } from './create-endpoint.ts';
export { mountAt, toNodeListener } from './http/adapters.ts';
export type { Handler } from './http/create-app.ts';
export { createLog, type Logger } from './lib/logger.ts';
export { listen, type Listening } from './http/listen.ts';
export { serve } from './serve.ts';
export type { OnPlatformEvent, PlatformEvent } from './organizations/webhook-source.ts';
export type { ToldByPlatform, ToldInFull } from './admin/inbound-webhooks.ts';
export type { FailedMessages } from './webhooks/outbound/delivery-queue.ts';
export type { ByHand } from './admin/review-queue.ts';
export type { ListedGift } from './admin/donation-list.ts';
export type { GiftReport } from './admin/donation-detail.ts';
export type { Resolved } from './admin/donation-actions.ts';
export type { OrganizationReport } from './admin/organizations.ts';
export type { Decision } from './database/schema.ts';
export type { Copy } from './database/backup.ts';
export type { DonorDeletion, DonorRecord } from './privacy/donor-requests.ts';
export {
  consentColumn,
  consentWordsColumn,
  fieldColumn,
  OTHER_FIELDS,
  type ExportLine,
} from './reporting/export-rows.ts';
export type { BookRow, Difference, ReportLine } from './reporting/report.ts';
export type {
  CreateGateway,
  PaymentRequest,
  PaymentEvent,
  ListedPayment,
  Payment,
  PaymentGateway,
  PaymentIds,
  PaymentHistory,
} from './payments/payment-gateway.ts';
export { NotChargedError, InvalidSignatureError } from './payments/payment-gateway.ts';
export type { IgnoredCount } from './reporting/ignored-setting-stats.ts';
export type { Configuration } from '@donation-form/core/schemas';
