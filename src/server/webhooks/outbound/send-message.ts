import { readPackageVersion } from '../../lib/package-file.ts';
import type { WebhookEndpoint } from '../../organizations/outbound-webhook-endpoint.ts';

/**
 * Milliseconds. Shorter than `LOCK_DURATION`, and in the range of Standard Webhooks, "Request
 * timeouts".
 */
const TIMEOUT = 15_000;
/** Status codes of overloaded endpoints (Standard Webhooks, "Delivery success and failure"). */
const OVERLOAD_STATUSES = [429, 502, 503, 504];
/** Without a `Retry-After` header, in milliseconds. */
const DEFAULT_COOLDOWN = 60_000;
const MAX_COOLDOWN = 3_600_000;

/** `delivered`: status 2xx. `endpoint_gone`: status 410. `rejected`: any other status. */
export interface AttemptResult {
  readonly kind: 'delivered' | 'endpoint_gone' | 'rejected';
  readonly status: number;
  /** End of the cooldown, in milliseconds since 1970. */
  readonly cooldownUntil?: number;
}

/** Does not follow redirects. @throws {Error} if the endpoint does not respond in time. */
export async function sendMessage(
  { url, signers }: Pick<WebhookEndpoint, 'url' | 'signers'>,
  { id, body, now, signal }: { id: string; body: string; now: number; signal: AbortSignal },
): Promise<AttemptResult> {
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
    body,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': `donation-form/${readPackageVersion()}`,
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now / 1_000)),
      'webhook-signature': signers.map((signer) => signer.sign(id, new Date(now), body)).join(' '),
    },
  });
  const { status } = response;
  await response.body?.cancel().catch(() => undefined);
  if (status >= 200 && status < 300) return { kind: 'delivered', status };
  if (status === 410) return { kind: 'endpoint_gone', status };
  const cooldown =
    parseRetryAfter(response.headers.get('Retry-After'), now) ??
    (OVERLOAD_STATUSES.includes(status) ? DEFAULT_COOLDOWN : undefined);
  return {
    kind: 'rejected',
    status,
    ...(cooldown !== undefined && { cooldownUntil: now + Math.min(cooldown, MAX_COOLDOWN) }),
  };
}

/** Returns milliseconds from now, or `undefined` for an invalid or past time (RFC 9110). */
function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return milliseconds > 0 ? milliseconds : undefined;
}
