export * from './client.ts';
export * from './enumerations.ts';
export * from './errors.ts';
export type { QueryCondition, QueryGroup, QueryOptions, QueryRequest, QueryShape } from './query.ts';
export { checkQuery } from './query.ts';
export type { Walk } from './paging.ts';
export { readWebhook, type WebhookEvent } from './webhooks.ts';
export { WebhookError, type WebhookReaderOptions } from '../common/webhook.ts';
export type * from './wire.ts';
