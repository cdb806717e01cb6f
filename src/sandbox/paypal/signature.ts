import {
  generateKeyPairSync,
  randomUUID,
  sign,
  verify,
  type KeyPairKeyObjectResult,
} from 'node:crypto';
import { crc32 } from 'node:zlib';

export interface Transmission {
  readonly id: string;
  /** ISO 8601. */
  readonly time: string;
  readonly webhookId: string;
  /** The event as sent. */
  readonly body: string;
}

let keyPair: KeyPairKeyObjectResult | undefined;

/** Returns the key pair of this process. Creating one takes a while. */
function getKeyPair(): KeyPairKeyObjectResult {
  keyPair ??= generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return keyPair;
}

/**
 * Signs a webhook: SHA-256 with RSA of the transmission's ID and time, the webhook's ID, and the
 * CRC-32 of the body (developer.paypal.com/api/rest/webhooks/rest, "Self-verification method").
 */
export function signTransmission(transmission: Transmission): string {
  return sign('sha256', toSignedText(transmission), getKeyPair().privateKey).toString('base64');
}

export function verifyTransmission(transmission: Transmission, signature: string): boolean {
  return verify(
    'sha256',
    toSignedText(transmission),
    getKeyPair().publicKey,
    Buffer.from(signature, 'base64'),
  );
}

/** Creates the headers of a webhook. */
export function createWebhookHeaders(
  { webhookId, body, time }: Omit<Transmission, 'id'>,
  baseUrl: string,
): Record<string, string> {
  const id = randomUUID();
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'PayPal/AUHR-214.0-55417034',
    'PayPal-Auth-Algo': 'SHA256withRSA',
    'PayPal-Cert-Url': `${baseUrl}/v1/notifications/certs/CERT-EMULATED`,
    'PayPal-Transmission-Id': id,
    'PayPal-Transmission-Time': time,
    'PayPal-Transmission-Sig': signTransmission({ id, time, webhookId, body }),
  };
}

function toSignedText({ id, time, webhookId, body }: Transmission): Buffer {
  return Buffer.from(`${id}|${time}|${webhookId}|${crc32(body)}`);
}
