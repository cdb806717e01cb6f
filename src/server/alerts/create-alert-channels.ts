import { randomUUID } from 'node:crypto';
import { readSecret, type Environment } from '../config/read-secrets.ts';
import type { LoadedConfiguration } from '../config/load-configuration.ts';
import { addFileName } from '../lib/configuration-error.ts';
import { isConnectionError } from '../lib/describe-error.ts';
import {
  createWebhookSigner,
  type WebhookEndpoint,
} from '../organizations/outbound-webhook-endpoint.ts';
import { sendMessage } from '../webhooks/outbound/send-message.ts';
import type { AlertChannel } from './alert-channel.ts';
import { createEmailChannel } from './email-channel.ts';

/** @throws {ConfigurationError} if a secret is missing or invalid. */
export function createAlertChannels(
  { alerts, file }: Pick<LoadedConfiguration, 'alerts' | 'file'>,
  environment: Environment,
): AlertChannel[] {
  const { email, webhook } = alerts ?? {};
  const channels: AlertChannel[] = [];
  try {
    if (email) {
      const { password } = email;
      channels.push(
        createEmailChannel(
          email,
          password && readSecret(password, 'alerts.email.password', environment),
        ),
      );
    }
    if (webhook) {
      const place = 'alerts.webhook.secret';
      const secret = readSecret(webhook.secret, place, environment);
      channels.push(
        createWebhookChannel({ url: webhook.url, signers: [createWebhookSigner(secret, place)] }),
      );
    }
    return channels;
  } catch (error) {
    throw addFileName(error, file);
  }
}

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
function createWebhookChannel(endpoint: Pick<WebhookEndpoint, 'url' | 'signers'>): AlertChannel {
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
