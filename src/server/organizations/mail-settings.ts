import { createPrivateKey } from 'node:crypto';
import type {
  LocalizedText,
  OrganizationConfiguration,
  SecretName,
} from '@donation-form/core/schemas';
import { ConfigurationError } from '../lib/configuration-error.ts';
import { getEmailDomain } from '../lib/normalize-email.ts';
import { createSmtpClient, type SmtpClient, type SmtpServer } from '../lib/smtp-client.ts';
import type { SecretReader } from '../payments/payment-provider.ts';
import { type MailLogo, readMailLogo } from './mail-logo.ts';
import { assertWebhookSecretIsStrong } from './webhook-source.ts';

/** How an organization sends mail to its donors. */
export interface MailSettings {
  readonly client: SmtpClient;
  /** Such as `smtp.example.org:587`. */
  readonly server: string;
  readonly from: { readonly name: string; readonly address: string };
  readonly replyTo: string;
  /** With which a mail provider reports bounces. Undefined if it reports none. */
  readonly eventSecret?: string | undefined;
  /** Such as `#0a6e5c`. */
  readonly color?: string | undefined;
  readonly logo?: MailLogo | undefined;
  readonly subject?: LocalizedText | undefined;
  readonly thankYou?: LocalizedText | undefined;
  readonly signature: LocalizedText;
}

/** @throws {ConfigurationError} if a secret or the logo is missing or invalid. */
export function createMailSettings(
  { name, contact, mail }: Pick<OrganizationConfiguration, 'name' | 'contact' | 'mail'>,
  readSecret: SecretReader,
  at: string,
): MailSettings | undefined {
  if (!mail) return undefined;
  const { host, port, user, password, from, replyTo = contact, dkim } = mail;
  const { eventSecret, color, logo, subject, thankYou, signature = name } = mail;
  const client = createSmtpClient({
    host,
    port,
    user,
    password: password && readSecret(password, 'mail.password'),
    dkim: dkim && {
      domainName: getEmailDomain(from),
      keySelector: dkim.selector,
      privateKey: parseDkimKey(
        readSecret(dkim.privateKey, 'mail.dkim.privateKey'),
        `${at}.mail.dkim.privateKey`,
      ),
    },
  } satisfies SmtpServer);
  return {
    client,
    server: `${host}:${port}`,
    from: { name, address: from },
    replyTo,
    eventSecret: eventSecret && readEventSecret(eventSecret, readSecret, at),
    color,
    logo: logo === undefined ? undefined : readMailLogo(logo, `${at}.mail.logo`),
    subject,
    thankYou,
    signature,
  };
}

function readEventSecret(name: SecretName, readSecret: SecretReader, at: string): string {
  const secret = readSecret(name, 'mail.eventSecret');
  assertWebhookSecretIsStrong(secret, `${at}.mail.eventSecret`);
  return secret;
}

/** Shorter keys fail at mailbox providers (RFC 8301, section 3.2). */
const MIN_DKIM_KEY_BITS = 1_024;

/** @throws {ConfigurationError} if the key is invalid. The message does not reveal it. */
export function parseDkimKey(pem: string, place: string): string {
  try {
    const key = createPrivateKey(pem);
    const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
    if (key.asymmetricKeyType === 'rsa' && modulusLength >= MIN_DKIM_KEY_BITS) return pem;
  } catch {
    // Reported below.
  }
  throw new ConfigurationError(
    `${place}: expected an RSA private key of at least ${MIN_DKIM_KEY_BITS} bits in PEM format. ` +
      'Generate one with: openssl genrsa -out dkim.pem 2048',
  );
}
