import {
  type ReceivedWebhook,
  verifyAndReadWebhook,
  type WebhookReaderOptions,
} from '../http/webhook.ts';
import { WebhookEventType } from './enumerations.ts';

/** A received webhook. Unsigned, so it never proves that a donor paid. */
export type WebhookEvent = ReceivedWebhook<WebhookEventType>;

/**
 * Reads a webhook from the donation platform (Donation Platform API v1, "Events").
 * @throws {WebhookError} with the status to respond with: 404 for a wrong secret, 405 for a method
 *   other than POST, 413 for a body that is too large, 415 for an unsupported content type, or 400
 *   for an invalid body.
 * @throws {RangeError} if the secret has fewer than 22 characters or contains invalid characters.
 *
 * @example
 * ```ts
 * import { readWebhook, WebhookError } from 'donation-platform-clients/donation-v1';
 *
 * export async function handle(request: Request): Promise<Response> {
 *   try {
 *     const { type, payload } = await readWebhook(request, {
 *       secret: process.env.WEBHOOK_SECRET!,
 *       typePath: ['eventName'],
 *     });
 *     console.log(type, payload);
 *     return new Response(null, { status: 204 });
 *   } catch (error) {
 *     if (!(error instanceof WebhookError)) throw error;
 *     return new Response(error.message, { status: error.status });
 *   }
 * }
 * ```
 */
export function readWebhook(
  request: Request,
  options: WebhookReaderOptions,
): Promise<WebhookEvent> {
  return verifyAndReadWebhook(request, WebhookEventType, options);
}
