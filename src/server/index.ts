export { loadConfiguration, type Environment, type LoadedConfiguration } from './configuration.ts';
export { ConfigurationError } from './configuration-error.ts';
export { checkAll } from './check/check.ts';
export type { Finding } from './check/finding.ts';
export type { Drained, DrainOptions } from './drain.ts';
export { openEndpoint, type Endpoint, type EndpointOptions } from './endpoint.ts';
export { below, nodeListener } from './guest.ts';
export type { Handler } from './handler.ts';
export { createLog } from './log.ts';
export { listen, type Listening } from './listen.ts';
export { serve } from './serve.ts';
export type { OnPlatformEvent, PlatformEvent } from './platform-webhooks/source.ts';
export type { ToldByPlatform, ToldInFull } from './operator/platform-webhooks.ts';
export type { SiteUnsent } from './site-webhooks/box.ts';
export type { ByHand } from './operator/by-hand.ts';
export type { ListedGift } from './operator/gift-list.ts';
export type { GiftReport } from './operator/gift-report.ts';
export type { Resolved } from './operator/gifts.ts';
export type { OrganizationReport } from './operator/organizations.ts';
export type { Decision } from './tables.ts';
export type { Copy } from './records/backup.ts';
export type { DonorDeletion, DonorRecord } from './records/donors.ts';
export {
  consentColumn,
  consentWordsColumn,
  fieldColumn,
  OTHER_FIELDS,
  type ExportLine,
} from './records/gift-rows.ts';
export type { BookRow, Difference, ReportLine } from './records/report.ts';
export type {
  CreateGateway,
  GiftToPay,
  Happening,
  ListedPayment,
  Payment,
  PaymentGateway,
  PaymentIds,
  Trace,
} from './payment/gateway.ts';
export { NotChargedError, NotSignedError } from './payment/gateway.ts';
export type { IgnoredCount } from './tally.ts';
export type { Configuration } from '../contract/configuration.ts';
