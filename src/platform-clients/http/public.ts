/** What both clients export. */
export { NoResponseError } from './call.ts';
export { PageLimitError } from './page-limit.ts';
export {
  parseWebhookBody,
  readWebhookBody,
  WebhookError,
  type WebhookPayload,
  type WebhookBodyFormat,
  type WebhookBody,
  type WebhookReaderOptions,
} from './webhook.ts';
