import { randomUUID } from 'node:crypto';
import type { SendMailOptions } from 'nodemailer';
import type { AlertConfiguration } from '@donation-form/core/schemas';
import type { LoadedConfiguration } from '../config/load-configuration.ts';
import { type Environment, readSecret } from '../config/read-secrets.ts';
import { addFileName } from '../lib/configuration-error.ts';
import { isConnectionError } from '../lib/describe-error.ts';
import { createSmtpClient, isMailCertainlyNotSent } from '../lib/smtp-client.ts';
import {
  createWebhookSigner,
  type WebhookEndpoint,
} from '../organizations/outbound-webhook-endpoint.ts';
import { sendMessage } from '../webhooks/outbound/send-message.ts';
import type { AlertMessage } from './alert-message.ts';

export interface AlertChannel {
  readonly name: 'email' | 'webhook';
  /** Human-readable destination of the messages, such as an email address. */
  readonly target: string;
  /** Sends a message. @throws {Error} if the destination may not have accepted the message. */
  readonly send: (message: AlertMessage) => Promise<void>;
  /** Checks the connection without sending a message. Omitted if the channel has no such check. */
  readonly verify?: () => Promise<void>;
  /** Returns true if an error from `send` proves that the message was not accepted. */
  readonly isCertainlyNotSent: (error: unknown) => boolean;
}

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

type EmailConfiguration = NonNullable<AlertConfiguration['email']>;

/** Creates the channel that sends alerts by email. */
function createEmailChannel(
  configuration: EmailConfiguration,
  password: string | undefined,
): AlertChannel {
  const client = createSmtpClient({ ...configuration, password });
  const { host, port } = configuration;
  return {
    name: 'email',
    target: `${configuration.to.join(', ')} through ${host}:${port}`,
    send: (message) => client.send(createEmail(configuration, message)),
    verify: client.verify,
    isCertainlyNotSent: isMailCertainlyNotSent,
  };
}

function createEmail(
  { from, to }: EmailConfiguration,
  { type, text, data }: AlertMessage,
): SendMailOptions {
  return {
    from: { name: 'Donation server', address: from },
    to: [...to],
    subject: `${type === 'alert.resolved' ? 'Resolved: ' : ''}${data.summary}`,
    text: `${text}\n`,
    // Suppresses automatic replies, and lets mail programs group messages by cause.
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Alert-Cause': data.cause,
    },
  };
}
