import { Webhook } from 'standardwebhooks';
import {
  OUTBOUND_WEBHOOK_EVENTS,
  type OutboundWebhookConfiguration,
  type OutboundWebhookEvent,
} from '@donation-form/core/schemas';
import { ConfigurationError } from '../lib/configuration-error.ts';
import type { SecretReader } from '../payments/payment-provider.ts';

export interface WebhookEndpoint {
  readonly url: string;
  /** Such as `webhooks.0`. Logged instead of the URL, which may be a secret. */
  readonly settingPath: string;
  readonly events: ReadonlySet<OutboundWebhookEvent>;
  /** Two signers during a secret rotation, otherwise one. */
  readonly signers: readonly Webhook[];
}

/** Allowed secret lengths in bytes, from the 'Signature scheme' section of Standard Webhooks. */
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;

/** @throws {ConfigurationError} if a secret is missing or invalid. */
export function createWebhookEndpoints(
  webhooks: readonly OutboundWebhookConfiguration[],
  readSecret: SecretReader,
  at: string,
): WebhookEndpoint[] {
  return webhooks.map(
    ({ url, secret, previousSecret, events = OUTBOUND_WEBHOOK_EVENTS }, index): WebhookEndpoint => {
      const signers = Object.entries({ secret, previousSecret }).flatMap(([field, name]) => {
        const place = `webhooks.${index}.${field}`;
        return name ? [createWebhookSigner(readSecret(name, place), `${at}.${place}`)] : [];
      });
      return { url, settingPath: `webhooks.${index}`, events: new Set(events), signers };
    },
  );
}

/** @throws {ConfigurationError} if the secret is invalid. The message does not reveal it. */
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
