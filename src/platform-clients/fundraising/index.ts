export * from './client.ts';
export * from './enumerations.ts';
export * from './errors.ts';
export type {
  QueryCondition,
  QueryGroup,
  QueryOptions,
  QueryRequest,
  QueryShape,
} from './query.ts';
export { checkQuery, readMetadata, toQueryBody } from './query.ts';
export type { PageRange } from './pagination.ts';
export { readWebhook, type WebhookEvent } from './webhooks.ts';
export { NoResponseError } from '../http/call.ts';
export { PageLimitError } from '../http/page-limit.ts';
export {
  parseWebhookBody,
  readWebhookBody,
  WebhookError,
  type WebhookPayload,
  type WebhookBodyFormat,
  type WebhookBody,
  type WebhookReaderOptions,
} from '../http/webhook.ts';
export type * from './wire.ts';
