import { randomUUID, sign, verify } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { getSigningKey } from './certificate.ts';

/** Path from which webhook receivers download the certificate. */
export const CERTIFICATE_PATH = '/v1/notifications/certs/CERT-EMULATED';

export interface Transmission {
  readonly id: string;
  /** ISO 8601. */
  readonly time: string;
  readonly webhookId: string;
  /** Body of the webhook, exactly as sent. */
  readonly body: string;
}

/**
 * Signs a webhook with RSA and SHA-256. The signed text consists of the transmission's ID and time,
 * the webhook's ID, and the CRC-32 of the body (developer.paypal.com/api/rest/webhooks/rest,
 * "Self-verification method").
 */
function signTransmission(transmission: Transmission): string {
  return sign('sha256', toSignedText(transmission), getSigningKey().privateKey).toString('base64');
}

export function verifyTransmission(transmission: Transmission, signature: string): boolean {
  return verify(
    'sha256',
    toSignedText(transmission),
    getSigningKey().publicKey,
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
    'PayPal-Cert-Url': baseUrl + CERTIFICATE_PATH,
    'PayPal-Transmission-Id': id,
    'PayPal-Transmission-Time': time,
    'PayPal-Transmission-Sig': signTransmission({ id, time, webhookId, body }),
  };
}

function toSignedText({ id, time, webhookId, body }: Transmission): Buffer {
  return Buffer.from(`${id}|${time}|${webhookId}|${crc32(body)}`);
}
