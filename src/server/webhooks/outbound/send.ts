import { readPackageVersion } from '../../lib/package-file.ts';
import type { WebhookEndpoint } from '../../organizations/webhook-endpoint.ts';

/**
 * Request timeout in milliseconds, shorter than a server's claim. Standard Webhooks, 'Request
 * timeouts'.
 */
const TIMEOUT = 15_000;
/** Statuses that ask for fewer messages: Standard Webhooks, 'Delivery success and failure'. */
const OVERLOAD_STATUSES = [429, 502, 503, 504];
/**
 * Default cooldown for an overloaded endpoint that sends no Retry-After, and maximum cooldown, in
 * milliseconds.
 */
const DEFAULT_COOLDOWN = 60_000;
const MAX_COOLDOWN = 3_600_000;

export interface MessageAttempt {
  readonly id: string;
  readonly body: string;
  readonly now: number;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** Result of one delivery attempt. `endpoint_gone`: the endpoint wants no more messages. */
export interface AttemptResult {
  readonly kind: 'taken' | 'endpoint_gone' | 'refused';
  readonly status: number;
  /** End of the cooldown, in milliseconds since 1970. */
  readonly restUntil?: number;
}

/**
 * Makes one delivery attempt. Does not follow redirects or read the response body.
 * @throws if there is no response in time.
 */
export async function send(
  { url, sign }: WebhookEndpoint,
  { id, body, now, signal }: MessageAttempt,
): Promise<AttemptResult> {
  const {
    status,
    headers,
    body: answer,
  } = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
    body,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': `donation-form/${readPackageVersion()}`,
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now / 1_000)),
      'webhook-signature': sign(id, new Date(now), body),
    },
  });
  await answer?.cancel().catch(() => undefined);
  if (status >= 200 && status < 300) return { kind: 'taken', status };
  if (status === 410) return { kind: 'endpoint_gone', status };
  const rest =
    parseRetryAfter(headers.get('Retry-After'), now) ??
    (OVERLOAD_STATUSES.includes(status) ? DEFAULT_COOLDOWN : undefined);
  return {
    kind: 'refused',
    status,
    ...(rest !== undefined && { restUntil: now + Math.min(rest, MAX_COOLDOWN) }),
  };
}

/** Parses Retry-After (RFC 9110), in seconds or as a date, to milliseconds from now. */
function parseRetryAfter(written: string | null, now: number): number | undefined {
  if (written === null) return undefined;
  const milliseconds = /^\d+$/.test(written) ? Number(written) * 1_000 : Date.parse(written) - now;
  return milliseconds > 0 ? milliseconds : undefined;
}
