import { readSecret, type Environment } from '../config/read-secrets.ts';
import type { LoadedConfiguration } from '../config/load-configuration.ts';
import { addFileName } from '../lib/configuration-error.ts';
import { createWebhookSigner } from '../organizations/outbound-webhook-endpoint.ts';
import type { AlertChannel } from './alert-channel.ts';
import { createEmailChannel } from './email-channel.ts';
import { createWebhookChannel } from './webhook-channel.ts';

/**
 * Creates the configured alert channels and reads their secrets.
 * @throws {ConfigurationError} if a secret is missing or invalid.
 */
export function createAlertChannels(
  { alerts, file }: Pick<LoadedConfiguration, 'alerts' | 'file'>,
  environment: Environment,
): AlertChannel[] {
  const { email, webhook } = alerts ?? {};
  try {
    return [
      ...(email
        ? [
            createEmailChannel(
              email,
              email.password && readSecret(email.password, 'alerts.email.password', environment),
            ),
          ]
        : []),
      ...(webhook
        ? [
            createWebhookChannel({
              url: webhook.url,
              signers: [
                createWebhookSigner(
                  readSecret(webhook.secret, 'alerts.webhook.secret', environment),
                  'alerts.webhook.secret',
                ),
              ],
            }),
          ]
        : []),
    ];
  } catch (error) {
    throw addFileName(error, file);
  }
}
