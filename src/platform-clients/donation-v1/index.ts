export * from './client.ts';
export * from './dates.ts';
export * from './enumerations.ts';
export * from './errors.ts';
export { readWebhook, type WebhookEvent } from './webhooks.ts';
export * from '../http/public.ts';
export type * from './wire.ts';
