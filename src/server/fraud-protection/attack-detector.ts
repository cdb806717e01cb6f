import type { Logger } from '../lib/logger.ts';
import type { Count, RateCounter } from './rate-counter.ts';
import { MAX_FORM_DECLINES, MAX_TOTAL_DECLINES } from './thresholds.ts';

/** In milliseconds. */
const CACHE_DURATION = 1_000;

/** Counter key for the declines on all forms. No form can have this ID. */
const ALL_FORMS = '*';

/**
 * Detects card testing by declines and concurrent charges. Many donations alone are not suspicious.
 */
export class AttackDetector {
  readonly #declineCounter: RateCounter;
  readonly #maxConcurrentCharges: number;
  readonly #log: Logger;
  readonly #cachedDeclines = new Map<string, { readonly count: number; readonly until: number }>();
  readonly #concurrentCharges = new Map<string, number>();

  constructor(declineCounter: RateCounter, maxConcurrentCharges: number, log: Logger) {
    this.#declineCounter = declineCounter;
    this.#maxConcurrentCharges = maxConcurrentCharges;
    this.#log = log;
  }

  countChargeStart(form: string): void {
    this.#concurrentCharges.set(form, this.#getConcurrentCharges(form) + 1);
  }

  countChargeEnd(form: string): void {
    this.#concurrentCharges.set(form, this.#getConcurrentCharges(form) - 1);
  }

  isAtCapacity(form: string): boolean {
    return this.#getConcurrentCharges(form) >= this.#maxConcurrentCharges;
  }

  /** Counts the declines on this form and on all forms. */
  async isUnderAttack(form: string): Promise<boolean> {
    const [own, all] = await Promise.all([this.#getDeclines(form), this.#getDeclines(ALL_FORMS)]);
    return own >= MAX_FORM_DECLINES || all >= MAX_TOTAL_DECLINES;
  }

  async countDecline(form: string): Promise<void> {
    const [own, all] = await Promise.all(
      [form, ALL_FORMS].map((name) =>
        this.#declineCounter.add(name, 1).then((count) => this.#cacheDeclines(name, count)),
      ),
    );
    if (own === MAX_FORM_DECLINES || all === MAX_TOTAL_DECLINES)
      this.#log.warn(
        { form, declines: own, onAllForms: all },
        'possible card testing: too many declines; donors must now solve a proof of work',
      );
  }

  #getConcurrentCharges(form: string): number {
    return this.#concurrentCharges.get(form) ?? 0;
  }

  async #getDeclines(name: string): Promise<number> {
    const seen = this.#cachedDeclines.get(name);
    return seen && performance.now() < seen.until
      ? seen.count
      : this.#cacheDeclines(name, await this.#declineCounter.read(name));
  }

  #cacheDeclines(name: string, { count, expiresIn }: Count): number {
    this.#cachedDeclines.set(name, {
      count,
      until: performance.now() + Math.min(expiresIn || CACHE_DURATION, CACHE_DURATION),
    });
    return count;
  }
}
