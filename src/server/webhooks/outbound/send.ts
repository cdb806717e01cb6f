import { packageVersion } from '../../lib/package-file.ts';
import type { WebhookEndpoint } from '../../organizations/webhook-endpoint.ts';

/**
 * How long a receiver has, in milliseconds: less than a server's claim lasts. Standard Webhooks,
 * 'Request timeouts'.
 */
const PATIENCE = 15_000;
/** Statuses that ask for fewer messages: Standard Webhooks, 'Delivery success and failure'. */
const OVERLOADED = [429, 502, 503, 504];
/**
 * How long a receiver is left alone that asks for that without saying how long, and how long at
 * most, in milliseconds.
 */
const USUAL_REST = 60_000;
const LONGEST_REST = 3_600_000;

export interface Sending {
  readonly id: string;
  readonly body: string;
  readonly now: number;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** What a receiver made of a message. gone: it wants no message any more. */
export interface Answer {
  readonly kind: 'taken' | 'gone' | 'refused';
  readonly status: number;
  /** Until when it wants none, in milliseconds since 1970. */
  readonly restUntil?: number;
}

/**
 * Sends a message once. Redirects are not followed, and nothing of the answer is read but its head.
 * @throws where no answer came in time.
 */
export async function send(
  { url, sign }: WebhookEndpoint,
  { id, body, now, signal }: Sending,
): Promise<Answer> {
  const {
    status,
    headers,
    body: answer,
  } = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]),
    body,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': `donation-form/${packageVersion()}`,
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now / 1_000)),
      'webhook-signature': sign(id, new Date(now), body),
    },
  });
  await answer?.cancel().catch(() => undefined);
  if (status >= 200 && status < 300) return { kind: 'taken', status };
  if (status === 410) return { kind: 'gone', status };
  const rest =
    readRetryAfter(headers.get('Retry-After'), now) ??
    (OVERLOADED.includes(status) ? USUAL_REST : undefined);
  return {
    kind: 'refused',
    status,
    ...(rest !== undefined && { restUntil: now + Math.min(rest, LONGEST_REST) }),
  };
}

/** Milliseconds from now on: RFC 9110, 'Retry-After', in seconds or as a date. */
function readRetryAfter(written: string | null, now: number): number | undefined {
  if (written === null) return undefined;
  const milliseconds = /^\d+$/.test(written) ? Number(written) * 1_000 : Date.parse(written) - now;
  return milliseconds > 0 ? milliseconds : undefined;
}
