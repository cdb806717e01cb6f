export * from './client.ts';
export * from './dates.ts';
export * from './enumerations.ts';
export * from './errors.ts';
export { readWebhook, type WebhookEvent } from './webhooks.ts';
export { NoAnswerError } from '../http/call.ts';
export {
  parsePayload,
  readPayload,
  WebhookError,
  type Payload,
  type PayloadFormat,
  type ReadPayload,
  type WebhookReaderOptions,
} from '../http/webhook.ts';
export type * from './wire.ts';
