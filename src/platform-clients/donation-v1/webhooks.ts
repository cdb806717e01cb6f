import { receive, type Payload, type WebhookReaderOptions } from '../http/webhook.ts';
import { WebhookEventType, WebhookFormat } from './enumerations.ts';

/**
 * What a webhook told. It says that something changed, and never that a donation is paid: nothing
 * of it is signed.
 */
export interface WebhookEvent {
  readonly type: WebhookEventType;
  readonly format: WebhookFormat;
  readonly payload: Payload;
}

/**
 * Reads a webhook of the donation platform: Donation Platform API v1, 'Events'.
 * @throws {WebhookError} with the status to answer.
 */
export async function readWebhook(
  request: Request,
  options: WebhookReaderOptions,
): Promise<WebhookEvent> {
  const { type, format, payload } = await receive(request, WebhookEventType, options);
  return { type, format: format === 'json' ? WebhookFormat.JSON : WebhookFormat.XML, payload };
}
