import { Webhook } from 'standardwebhooks';
import {
  type SecretName,
  type SiteWebhookConfiguration,
  SITE_EVENTS,
  type SiteEvent,
} from '@donation-form/core/schemas';
import { ConfigurationError } from '../lib/configuration-error.ts';

/** An address of the site's own server that is told what happens to gifts. */
export interface WebhookEndpoint {
  readonly url: string;
  /**
   * Where it stands in the organisation's configuration, such as `webhooks.0`: a log is not to
   * repeat the address, which may be a secret.
   */
  readonly place: string;
  readonly events: ReadonlySet<SiteEvent>;
  /**
   * The value of `webhook-signature`: a signature by each of its secrets.
   * @param at when it is sent.
   */
  readonly sign: (id: string, at: Date, body: string) => string;
}

/** Standard Webhooks, 'Signature scheme': bytes of a secret. */
const LEAST_BYTES = 24;
const MOST_BYTES = 64;

/**
 * The addresses of an organisation's configuration, with their secrets.
 * @param secretOf reads a secret. @param at the place of the organisation in the configuration.
 * @throws {ConfigurationError}
 */
export function openSiteAddresses(
  webhooks: readonly SiteWebhookConfiguration[],
  secretOf: (name: SecretName, place: string) => string,
  at: string,
): WebhookEndpoint[] {
  return webhooks.map(
    ({ url, secret, previousSecret, events = SITE_EVENTS }, index): WebhookEndpoint => {
      const signers = [
        ['secret', secret] as const,
        ['previousSecret', previousSecret] as const,
      ].flatMap(([field, name]) => {
        const place = `webhooks.${index}.${field}`;
        return name ? [signerOf(secretOf(name, place), `${at}.${place}`)] : [];
      });
      return {
        url,
        place: `webhooks.${index}`,
        events: new Set(events),
        sign: (id, date, body) => signers.map((signer) => signer.sign(id, date, body)).join(' '),
      };
    },
  );
}

/** @throws {ConfigurationError} which does not repeat the secret. */
function signerOf(secret: string, place: string): Webhook {
  const [, written = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  const bytes = Buffer.from(written, 'base64');
  if (
    bytes.toString('base64') === written &&
    bytes.length >= LEAST_BYTES &&
    bytes.length <= MOST_BYTES
  )
    return new Webhook(secret);
  throw new ConfigurationError(
    `${place}: found ${secret.length} characters that are no such secret, expected whsec_ and ${LEAST_BYTES} to ${MOST_BYTES} random bytes in base64. Make one: echo "whsec_$(openssl rand -base64 32)"`,
  );
}
