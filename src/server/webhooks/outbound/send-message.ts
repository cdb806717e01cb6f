import { readPackageVersion } from '../../lib/package-file.ts';
import type { WebhookEndpoint } from '../../organizations/outbound-webhook-endpoint.ts';

/**
 * Request timeout, in milliseconds. Shorter than `LOCK_DURATION`, and within the range that
 * Standard Webhooks suggests ("Request timeouts").
 */
const TIMEOUT = 15_000;
/** Status codes of overloaded endpoints (Standard Webhooks, "Delivery success and failure"). */
const OVERLOAD_STATUSES = [429, 502, 503, 504];
/** Cooldown for an overloaded endpoint that sends no `Retry-After` header, in milliseconds. */
const DEFAULT_COOLDOWN = 60_000;
/** Maximum cooldown, in milliseconds. */
const MAX_COOLDOWN = 3_600_000;

export interface MessageAttempt {
  readonly id: string;
  readonly body: string;
  readonly now: number;
  /** Aborts the request. */
  readonly signal: AbortSignal;
}

/**
 * Result of a delivery attempt. `delivered`: status 2xx. `endpoint_gone`: status 410. `rejected`:
 * any other status.
 */
export interface AttemptResult {
  readonly kind: 'delivered' | 'endpoint_gone' | 'rejected';
  readonly status: number;
  /** End of the cooldown, in milliseconds since 1970. */
  readonly cooldownUntil?: number;
}

/**
 * Makes one delivery attempt. Does not follow redirects or read the response body.
 * @throws {Error} if the endpoint does not respond in time.
 */
export async function sendMessage(
  endpoint: Pick<WebhookEndpoint, 'url' | 'signers'>,
  { id, body, now, signal }: MessageAttempt,
): Promise<AttemptResult> {
  const {
    status,
    headers,
    body: responseBody,
  } = await fetch(endpoint.url, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
    body,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': `donation-form/${readPackageVersion()}`,
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now / 1_000)),
      'webhook-signature': createSignatureHeader(endpoint, { id, body, now }),
    },
  });
  await responseBody?.cancel().catch(() => undefined);
  if (status >= 200 && status < 300) return { kind: 'delivered', status };
  if (status === 410) return { kind: 'endpoint_gone', status };
  const cooldown =
    parseRetryAfter(headers.get('Retry-After'), now) ??
    (OVERLOAD_STATUSES.includes(status) ? DEFAULT_COOLDOWN : undefined);
  return {
    kind: 'rejected',
    status,
    ...(cooldown !== undefined && { cooldownUntil: now + Math.min(cooldown, MAX_COOLDOWN) }),
  };
}

/**
 * Returns the value of the `webhook-signature` header: one signature for each of the endpoint's
 * secrets.
 */
function createSignatureHeader(
  { signers }: Pick<WebhookEndpoint, 'signers'>,
  { id, body, now }: Pick<MessageAttempt, 'id' | 'body' | 'now'>,
): string {
  return signers.map((signer) => signer.sign(id, new Date(now), body)).join(' ');
}

/**
 * Parses the `Retry-After` header (RFC 9110), which is a number of seconds or a date. Returns
 * milliseconds from now, or `undefined` if the time is missing, invalid, or in the past.
 */
function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return milliseconds > 0 ? milliseconds : undefined;
}
