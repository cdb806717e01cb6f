export * from './client.ts';
export * from './enumerations.ts';
export * from './errors.ts';
export * from './query.ts';
export type { PageRange, PagesOf } from './pagination.ts';
export { readWebhook, type WebhookEvent } from './webhooks.ts';
export * from '../http/public.ts';
export type * from './wire.ts';
