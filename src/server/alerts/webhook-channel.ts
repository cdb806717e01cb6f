import { randomUUID } from 'node:crypto';
import { isConnectionError } from '../lib/describe-error.ts';
import type { WebhookEndpoint } from '../organizations/outbound-webhook-endpoint.ts';
import { sendMessage } from '../webhooks/outbound/send-message.ts';
import type { AlertChannel } from './alert-channel.ts';

/** The webhook URL responded with a status other than 2xx. */
class WebhookRejectedError extends Error {
  override readonly name = 'WebhookRejectedError';
  readonly status: number;

  constructor(status: number) {
    super(`the webhook URL responded with status ${status}; expected 200 to 299`);
    this.status = status;
  }
}

/** Creates the channel that sends alerts as signed webhooks. */
export function createWebhookChannel(
  endpoint: Pick<WebhookEndpoint, 'url' | 'signers'>,
): AlertChannel {
  return {
    name: 'webhook',
    target: new URL(endpoint.url).origin,
    send: async (message) => {
      const { kind, status } = await sendMessage(endpoint, {
        id: `msg_${randomUUID()}`,
        body: JSON.stringify(message),
        now: Date.now(),
        signal: new AbortController().signal,
      });
      if (kind !== 'delivered') throw new WebhookRejectedError(status);
    },
    isCertainlyNotSent: (error) =>
      error instanceof WebhookRejectedError || isConnectionError(error),
  };
}
