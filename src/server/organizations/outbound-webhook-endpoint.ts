import { Webhook } from 'standardwebhooks';
import {
  type SecretName,
  type OutboundWebhookConfiguration,
  OUTBOUND_WEBHOOK_EVENTS,
  type OutboundWebhookEvent,
} from '@donation-form/core/schemas';
import { ConfigurationError } from '../lib/configuration-error.ts';

/** An endpoint on the organization's own server that receives donation events. */
export interface WebhookEndpoint {
  readonly url: string;
  /**
   * Path in the organization's configuration, such as `webhooks.0`. Logs contain this path instead
   * of the URL, because the URL may be a secret.
   */
  readonly settingPath: string;
  readonly events: ReadonlySet<OutboundWebhookEvent>;
  /** One signer per signing secret. There are two signers during a secret rotation. */
  readonly signers: readonly Webhook[];
}

/** Allowed secret lengths in bytes, from the 'Signature scheme' section of Standard Webhooks. */
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;

/**
 * Creates an organization's configured webhook endpoints and reads their secrets.
 * @param readSecret function that reads the secret at a path within the organization.
 * @param at the organization's path in the configuration.
 * @throws {ConfigurationError} if a secret is missing or invalid.
 */
export function createWebhookEndpoints(
  webhooks: readonly OutboundWebhookConfiguration[],
  readSecret: (name: SecretName, place: string) => string,
  at: string,
): WebhookEndpoint[] {
  return webhooks.map(
    ({ url, secret, previousSecret, events = OUTBOUND_WEBHOOK_EVENTS }, index): WebhookEndpoint => {
      const signers = [
        ['secret', secret] as const,
        ['previousSecret', previousSecret] as const,
      ].flatMap(([field, name]) => {
        const place = `webhooks.${index}.${field}`;
        return name ? [createWebhookSigner(readSecret(name, place), `${at}.${place}`)] : [];
      });
      return {
        url,
        settingPath: `webhooks.${index}`,
        events: new Set(events),
        signers,
      };
    },
  );
}

/**
 * Creates the signer for a webhook signing secret.
 * @param place the secret's path in the configuration.
 * @throws {ConfigurationError} if the secret is invalid. The message does not reveal the secret.
 */
export function createWebhookSigner(secret: string, place: string): Webhook {
  const [, encoded = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  if (
    bytes.toString('base64') === encoded &&
    bytes.length >= MIN_SECRET_BYTES &&
    bytes.length <= MAX_SECRET_BYTES
  )
    return new Webhook(secret);
  throw new ConfigurationError(
    `${place}: found ${secret.length} characters that are not a webhook signing secret; ` +
      `expected whsec_ followed by ${MIN_SECRET_BYTES} to ${MAX_SECRET_BYTES} random bytes in ` +
      'base64. Generate one with: echo "whsec_$(openssl rand -base64 24)"',
  );
}
