import { PROBLEMS, type ProblemCode, type ProblemDetails } from '@donation-form/core/schemas';

export interface ProblemOptions extends ErrorOptions {
  /** Value of the Retry-After header: number of seconds after which the client can retry. */
  readonly retryAfter?: number;
}

/** Default value of {@link ProblemOptions.retryAfter} for `unavailable`. */
const UNAVAILABLE_RETRY_AFTER = 5;

/**
 * Error for a request that the server rejects. Any request handler can throw this error, and the
 * app converts the error to a response.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly #retryAfter: number | undefined;

  /**
   * @param detail explanation of what happened, why, and what to do. Must not contain donor input.
   */
  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(detail, options);
    this.code = code;
    this.#retryAfter =
      options.retryAfter ?? (code === 'unavailable' ? UNAVAILABLE_RETRY_AFTER : undefined);
  }

  /** Returns the error as an `application/problem+json` response (RFC 9457). */
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
