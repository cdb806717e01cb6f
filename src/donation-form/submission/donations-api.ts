import type { DonationOutcome, ProblemCode, ProblemDetails } from '@donation-form/core/schemas';
import { stringifyJson } from '../page/stringify-json.ts';
import { RESPONSE_TIME } from '../payment-fields/time-limit.ts';

export type Reply =
  | { readonly kind: 'outcome'; readonly outcome: DonationOutcome }
  | {
      readonly kind: 'problem';
      readonly code: ProblemCode;
      readonly detail: string;
      /** Seconds to wait before the next attempt, from the Retry-After header. */
      readonly retryAfter: number;
      readonly requestId: string | undefined;
    }
  | { readonly kind: 'network-error'; readonly requestId: string | undefined };

const TIMEOUT = 40_000;
const MAX_REQUEST_ID_LENGTH = 64;

/** Requests a path that pages of other origins can read. */
export const isReachable = (endpointUrl: string): Promise<boolean> =>
  fetch(`${endpointUrl}countries`, {
    method: 'HEAD',
    credentials: 'omit',
    cache: 'no-store',
    signal: AbortSignal.timeout(RESPONSE_TIME),
  }).then(
    () => true,
    () => false,
  );

/** Posts a body, or without one gets the donation of a key. */
export async function sendRequest(
  url: string,
  key: string,
  body?: object,
  proof?: string,
): Promise<Reply> {
  let requestId: string | undefined;
  try {
    const response = await fetch(url, {
      ...(body && { method: 'POST', body: stringifyJson(body) }),
      headers: {
        'Idempotency-Key': key,
        ...(body && { 'Content-Type': 'application/json' }),
        ...(proof !== undefined && { 'Challenge-Solution': proof }),
      },
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT),
    });
    requestId = response.headers.get('X-Request-Id')?.slice(0, MAX_REQUEST_ID_LENGTH);
    const reply = (await response.json()) as DonationOutcome | ProblemDetails;
    if ('reference' in reply) return { kind: 'outcome', outcome: reply };
    return 'code' in reply && (response.status < 500 || reply.code === 'paused')
      ? {
          kind: 'problem',
          code: reply.code as ProblemCode,
          detail: reply.detail,
          retryAfter: getRetryAfter(response),
          requestId,
        }
      : { kind: 'network-error', requestId };
  } catch {
    return { kind: 'network-error', requestId };
  }
}

/** Seconds. */
const DEFAULT_RETRY_AFTER = 60;

/** The Retry-After header contains a number of seconds or an HTTP date. */
function getRetryAfter({ headers }: Response): number {
  const header = headers.get('Retry-After') ?? '';
  const seconds = Number(header || NaN);
  const retryAfter = Number.isNaN(seconds) ? (Date.parse(header) - Date.now()) / 1000 : seconds;
  return retryAfter > 0 ? retryAfter : DEFAULT_RETRY_AFTER;
}
