export { loadConfiguration, type LoadedConfiguration } from './config/load-configuration.ts';
export type { Environment } from './config/read-secrets.ts';
export { sendTestAlert, type TestAlertResult } from './alerts/send-test-alert.ts';
export { ConfigurationError } from './lib/configuration-error.ts';
export { runKeyChecks } from './diagnostics/keys.ts';
export { runRestoreChecks } from './diagnostics/restore.ts';
export { runChecks } from './diagnostics/run-checks.ts';
export { runUpgradeChecks } from './diagnostics/upgrade.ts';
export type { CheckResult } from './lib/check-result.ts';
export type { JobRunSummary, RunDueJobsOptions } from './background-jobs.ts';
export { DatabaseInUseError } from './database/sqlite-database.ts';
export { createEndpoint } from './create-endpoint.ts';
export type { Endpoint, EndpointOptions } from './endpoint.ts';
export { mountAt, toNodeListener } from './http/adapters.ts';
export type { Handler } from './http/create-app.ts';
export { createLogger, type Logger } from './lib/logger.ts';
export { listen, type HttpListener } from './http/listen.ts';
export { serve, type RunningServer } from './serve.ts';
export type { OnPlatformEvent, PlatformEvent } from './organizations/webhook-source.ts';
export {
  formatConsentColumn,
  formatConsentTextColumn,
  formatFieldColumn,
  OTHER_FIELDS,
  type ExportLine,
} from './reporting/export-rows.ts';
export type { LedgerRow, Difference, ReportLine } from './reporting/report.ts';
export type {
  CreateGateway,
  PaymentRequest,
  PaymentEvent,
  ListedPayment,
  Payment,
  PaymentGateway,
  WebhookContext,
  PaymentIds,
  PaymentHistory,
} from './payments/payment-gateway.ts';
export {
  NotChargedError,
  InvalidPayloadError,
  InvalidSignatureError,
  PaymentNotFoundError,
  UnverifiedWebhookError,
} from './payments/payment-gateway.ts';
export type { Configuration } from '@donation-form/core/schemas';
