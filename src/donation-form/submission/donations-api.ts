import type {
  DonationRequest,
  Outcome,
  ProblemCode,
  ProblemDetails,
} from '@donation-form/core/schemas';

/** What came back from the endpoint: an outcome, a refusal, or nothing that can be read. */
export type Reply =
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  | {
      readonly kind: 'problem';
      readonly code: ProblemCode;
      readonly detail: string;
      /** Seconds, from the header Retry-After. */ readonly wait: number;
      readonly request: string | undefined;
    }
  | {
      readonly kind: 'no-answer';
      /** What the server's log calls the request that it could not answer. */ readonly request:
        string | undefined;
    };

const PATIENCE = 40_000;
const LONGEST_ID = 64;

/**
 * `POST /donations`.
 * @param base the endpoint's address, ending in a slash.
 * @param proof a proof of work, where one was asked for.
 */
export function postDonation(
  base: string,
  key: string,
  request: DonationRequest,
  proof?: string,
): Promise<Reply> {
  const { headers, ...init } = post(request);
  return call(`${base}donations`, key, {
    ...init,
    headers: { ...headers, ...(proof !== undefined && { 'Challenge-Solution': proof }) },
  });
}

/**
 * `POST /donations/confirm`: the donor has done what was asked for, or asks what that was. `POST
 * /donations/cancel`: the donor does not want to.
 */
export function postSettlement(
  base: string,
  key: string,
  how: 'confirm' | 'cancel',
): Promise<Reply> {
  return call(`${base}donations/${how}`, key, post({}));
}

/** `GET /donations`: what became of a key. */
export function fetchOutcome(base: string, key: string): Promise<Reply> {
  return call(`${base}donations`, key, {});
}

interface Init {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const post = (body: object) =>
  ({
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  }) satisfies Init;

async function call(address: string, key: string, init: Init): Promise<Reply> {
  let request: string | undefined;
  try {
    const response = await fetch(address, {
      ...init,
      headers: { ...init.headers, 'Idempotency-Key': key },
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(PATIENCE),
    });
    request = response.headers.get('X-Request-Id')?.slice(0, LONGEST_ID);
    const body = (await response.json()) as Outcome | ProblemDetails;
    if ('state' in body) return { kind: 'outcome', outcome: body };
    return 'code' in body && (response.status < 500 || body.code === 'paused')
      ? {
          kind: 'problem',
          code: body.code as ProblemCode,
          detail: body.detail,
          wait: waitOf(response),
          request,
        }
      : { kind: 'no-answer', request };
  } catch {
    return { kind: 'no-answer', request };
  }
}

const USUAL_WAIT = 60;

/** The header counts seconds or names a time. */
function waitOf({ headers }: Response): number {
  const given = headers.get('Retry-After') ?? '';
  const seconds = Number(given || NaN);
  const wait = Number.isNaN(seconds) ? (Date.parse(given) - Date.now()) / 1000 : seconds;
  return wait > 0 ? wait : USUAL_WAIT;
}
