interface Fault {
  readonly kind: 'answer' | 'lose-reply' | 'slow';
  readonly value: number;
  readonly path: RegExp;
  left: number;
  /** How many matching calls pass before. */
  after: number;
}

/**
 * What was asked to go wrong, each a number of times. A pattern is held against texts such as `POST
 * /v1/payment_intents`.
 */
export class Faults {
  readonly #waiting: Fault[] = [];

  add(kind: Fault['kind'], value: number, count: number, path = /^/, after = 0): void {
    this.#waiting.push({ kind, value, path, left: count, after });
  }

  /** Uses one of them up. @returns its value. */
  take(kind: Fault['kind'], call: string): number | undefined {
    const fault = this.#waiting.find(
      (one) => one.kind === kind && one.left > 0 && one.path.test(call),
    );
    if (!fault) return undefined;
    if (fault.after > 0) {
      fault.after -= 1;
      return undefined;
    }
    fault.left -= 1;
    return fault.value;
  }
}
