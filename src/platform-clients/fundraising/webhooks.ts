import { receive, type Payload, type WebhookReaderOptions } from '../http/webhook.ts';
import { EventType, WebhookFormat } from './enumerations.ts';

/**
 * What a webhook told. It says that something changed, and never that a gift is paid: nothing of it
 * is signed.
 */
export interface WebhookEvent {
  readonly type: EventType;
  readonly format: WebhookFormat;
  readonly payload: Payload;
}

/**
 * Reads a webhook of the fundraising platform: Fundraising Platform API, 'Events'.
 * @throws {WebhookError} with the status to answer.
 */
export async function readWebhook(
  request: Request,
  options: WebhookReaderOptions,
): Promise<WebhookEvent> {
  const { type, format, payload } = await receive(request, EventType, options);
  return { type, format: format === 'json' ? WebhookFormat.JSON : WebhookFormat.XML, payload };
}
