import { type ProblemCode, type ProblemDetails, PROBLEMS } from '@donation-form/core/schemas';

export interface ProblemOptions extends ErrorOptions {
  /** Seconds after which the client can retry. */
  readonly retryAfter?: number;
}

/** For `unavailable`. */
const UNAVAILABLE_RETRY_AFTER = 5;

/** Rejects a request. Any handler can throw it, and the app converts it to a response. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly #retryAfter: number | undefined;

  /** @param detail what happened, why, and what to do, without donor input. */
  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(detail, options);
    this.code = code;
    this.#retryAfter =
      options.retryAfter ?? (code === 'unavailable' ? UNAVAILABLE_RETRY_AFTER : undefined);
  }

  /** As `application/problem+json` (RFC 9457). */
  toResponse(requestId: string): Response {
    const status = PROBLEMS[this.code];
    const body: ProblemDetails = {
      type: 'about:blank',
      title: this.code.replaceAll('-', ' '),
      status,
      code: this.code,
      detail: this.message,
      requestId,
    };
    return Response.json(body, {
      status,
      headers: {
        'Content-Type': 'application/problem+json',
        'Cache-Control': 'no-store',
        // RFC 9110, section 15.5.2.
        ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
        ...(this.#retryAfter !== undefined && { 'Retry-After': String(this.#retryAfter) }),
      },
    });
  }
}

export function createPausedProblem(): Problem {
  return new Problem(
    'paused',
    'This organization is not accepting donations at the moment, and no charge was made. Try again later.',
  );
}
