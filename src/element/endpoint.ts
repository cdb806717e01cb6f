import type { DonationRequest } from '../contract/donation-request.ts';
import type { FormDefinition } from '../contract/form-definition.ts';
import type { Outcome } from '../contract/outcome.ts';
import type { ProblemCode, ProblemDetails } from '../contract/problem.ts';

/** What came back from the endpoint: an outcome, a refusal, or nothing that can be read. */
export type Reply =
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  | { readonly kind: 'problem'; readonly code: ProblemCode; readonly detail: string }
  | { readonly kind: 'no-answer' };

const FORM_PATIENCE = 15_000, GIFT_PATIENCE = 40_000;

/** The calls that the element makes, one function each. @param base the endpoint's address, ending in a slash. */
export class Endpoint {
  readonly base: string;

  constructor(base: string) {
    this.base = base;
  }

  /** `GET /form`. @throws where no definition comes back. */
  async form(id: string | undefined): Promise<{ definition: FormDefinition; etag: string }> {
    const address = `${this.base}form${id === undefined ? '' : `?${new URLSearchParams({ id })}`}`;
    const response = await fetch(address, { credentials: 'omit', signal: AbortSignal.timeout(FORM_PATIENCE) });
    const etag = response.headers.get('ETag');
    if (!response.ok || etag === null) throw new Error(`${address} answered ${response.status}`);
    return { definition: await response.json() as FormDefinition, etag };
  }

  /** `POST /donations`. */
  give(key: string, request: DonationRequest): Promise<Reply> {
    return this.#donations(key, { method: 'POST', body: JSON.stringify(request), headers: { 'Content-Type': 'application/json' } });
  }

  /** `GET /donations`: what became of a key. */
  outcome(key: string): Promise<Reply> {
    return this.#donations(key, {});
  }

  async #donations(key: string, init: { readonly method?: string; readonly body?: string; readonly headers?: Readonly<Record<string, string>> }): Promise<Reply> {
    try {
      const response = await fetch(`${this.base}donations`, {
        ...init, headers: { ...init.headers, 'Idempotency-Key': key }, credentials: 'omit', cache: 'no-store', signal: AbortSignal.timeout(GIFT_PATIENCE),
      });
      const body = await response.json() as Outcome | ProblemDetails;
      if ('state' in body) return { kind: 'outcome', outcome: body };
      return 'code' in body && response.status < 500 ? { kind: 'problem', code: body.code as ProblemCode, detail: body.detail } : { kind: 'no-answer' };
    } catch {
      return { kind: 'no-answer' };
    }
  }
}
