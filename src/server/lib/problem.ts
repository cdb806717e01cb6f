import { PROBLEMS, type ProblemCode, type ProblemDetails } from '@donation-form/core/schemas';

export interface ProblemOptions extends ErrorOptions {
  /** Seconds after which another try makes sense: the header Retry-After. */
  readonly retryAfter?: number;
}

/**
 * A request that is refused. Thrown anywhere below the handler, which alone turns it into an
 * answer.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly #retryAfter: number | undefined;

  /**
   * @param detail what was found, what was expected and what to do; it never repeats what a donor
   *   typed.
   */
  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(detail, options);
    this.code = code;
    this.#retryAfter = options.retryAfter;
  }

  /** As RFC 9457 has it, `application/problem+json`. */
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

/** The operator has paused the organisation. */
export function pausedProblem(): Problem {
  return new Problem(
    'paused',
    'This organisation takes no gifts for the time being, and nothing was charged. Try again later.',
  );
}
