import type {
  DonationRequest,
  DonationOutcome,
  ProblemCode,
  ProblemDetails,
} from '@donation-form/core/schemas';
import { RESPONSE_TIME } from '../payment-fields/time-limit.ts';
import { stringifyJson } from '../page/stringify-json.ts';

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
  | {
      readonly kind: 'network-error';
      readonly requestId: string | undefined;
    };

const TIMEOUT = 40_000;
const MAX_REQUEST_ID_LENGTH = 64;

export function postDonation(
  endpointUrl: string,
  key: string,
  request: DonationRequest,
  proof?: string,
): Promise<Reply> {
  const { headers, ...options } = createPostOptions(request);
  return sendRequest(`${endpointUrl}donations`, key, {
    ...options,
    headers: { ...headers, ...(proof !== undefined && { 'Challenge-Solution': proof }) },
  });
}

/** The reply to a confirmation includes an action that is still incomplete. */
export function postActionStep(
  endpointUrl: string,
  key: string,
  step: 'confirm' | 'cancel',
): Promise<Reply> {
  return sendRequest(`${endpointUrl}donations/${step}`, key, createPostOptions({}));
}

export function fetchOutcome(endpointUrl: string, key: string): Promise<Reply> {
  return sendRequest(`${endpointUrl}donations`, key, {});
}

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

interface RequestOptions {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const createPostOptions = (body: object) =>
  ({
    method: 'POST',
    body: stringifyJson(body),
    headers: { 'Content-Type': 'application/json' },
  }) satisfies RequestOptions;

async function sendRequest(url: string, key: string, options: RequestOptions): Promise<Reply> {
  let requestId: string | undefined;
  try {
    const response = await fetch(url, {
      ...options,
      headers: { ...options.headers, 'Idempotency-Key': key },
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT),
    });
    requestId = response.headers.get('X-Request-Id')?.slice(0, MAX_REQUEST_ID_LENGTH);
    const body = (await response.json()) as DonationOutcome | ProblemDetails;
    if ('reference' in body) return { kind: 'outcome', outcome: body };
    return 'code' in body && (response.status < 500 || body.code === 'paused')
      ? {
          kind: 'problem',
          code: body.code as ProblemCode,
          detail: body.detail,
          retryAfter: getRetryAfter(response),
          requestId,
        }
      : { kind: 'network-error', requestId };
  } catch {
    return { kind: 'network-error', requestId };
  }
}

const DEFAULT_RETRY_AFTER = 60;

/** The Retry-After header contains a number of seconds or an HTTP date. */
function getRetryAfter({ headers }: Response): number {
  const header = headers.get('Retry-After') ?? '';
  const seconds = Number(header || NaN);
  const retryAfter = Number.isNaN(seconds) ? (Date.parse(header) - Date.now()) / 1000 : seconds;
  return retryAfter > 0 ? retryAfter : DEFAULT_RETRY_AFTER;
}
