import { Refusal } from './refusal.ts';

export interface Answer {
  readonly status: number;
  readonly body: string;
}

interface Entry {
  readonly path: string;
  readonly request: string;
  answer?: Answer;
}

/** The first answer to each Idempotency-Key (docs.stripe.com/api/idempotent_requests). */
export class Idempotency {
  readonly #entries = new Map<string, Entry>();

  /**
   * @returns the answer that the key had before; without one, the key is taken.
   * @throws a refusal of another request under the key, or of one while the first is under way.
   */
  begin(key: string, path: string, request: string): Answer | undefined {
    const entry = this.#entries.get(key);
    if (!entry) {
      this.#entries.set(key, { path, request });
      return undefined;
    }
    if (entry.path !== path)
      throw new Refusal(400, {
        type: 'idempotency_error',
        message: `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${path}' vs '${entry.path}'). Try using a key other than '${key}' if you meant to execute a different request.`,
      });
    if (entry.request !== request)
      throw new Refusal(400, {
        type: 'idempotency_error',
        message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      });
    if (!entry.answer)
      throw new Refusal(409, {
        type: 'idempotency_error',
        code: 'idempotency_key_in_use',
        message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
      });
    return entry.answer;
  }

  keep(key: string, answer: Answer): void {
    const entry = this.#entries.get(key);
    if (entry) entry.answer = answer;
  }

  /** As if the call had never come. */
  free(key: string): void {
    this.#entries.delete(key);
  }

  /** As Stripe does after a day or more. */
  forget(): void {
    this.#entries.clear();
  }
}
