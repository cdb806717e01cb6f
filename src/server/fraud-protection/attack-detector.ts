import type { Logger } from '../lib/logger.ts';
import type { Count, Counts } from './rate-counter.ts';
import { FORM_DECLINES, MOST_AT_ONCE, SERVER_DECLINES } from './thresholds.ts';

/**
 * How long what other servers counted may be unknown here, in milliseconds: a gift need not wait
 * for it.
 */
const FRESH = 1_000;

/** What the declines on all forms are counted under; no form has such an id. */
const ALL = '*';

/**
 * Says which forms are suspicious: by their declines, and by how many gifts are charged at once.
 * That many give is no suspicion.
 */
export class AttackDetector {
  readonly #counts: Counts;
  readonly #log: Logger;
  readonly #seen = new Map<string, { readonly count: number; readonly until: number }>();
  readonly #atOnce = new Map<string, number>();

  constructor(counts: Counts, log: Logger) {
    this.#counts = counts;
    this.#log = log;
  }

  /**
   * Notes that a gift by a form is being given.
   * @returns whether it is one more than the form should charge unasked.
   */
  begin(form: string): boolean {
    this.#atOnce.set(form, this.#givenAtOnce(form) + 1);
    return this.#givenAtOnce(form) > MOST_AT_ONCE;
  }

  end(form: string): void {
    this.#atOnce.set(form, this.#givenAtOnce(form) - 1);
  }

  /** Whether another gift by a form would be one more than it should charge unasked. */
  isFull(form: string): boolean {
    return this.#givenAtOnce(form) >= MOST_AT_ONCE;
  }

  /**
   * Whether so many gifts by a form, or by all, were declined that somebody may be trying cards.
   */
  async isAttacked(form: string): Promise<boolean> {
    const [own, all] = await Promise.all([this.#declinesOf(form), this.#declinesOf(ALL)]);
    return own >= FORM_DECLINES || all >= SERVER_DECLINES;
  }

  async declined(form: string): Promise<void> {
    const [own, all] = await Promise.all(
      [form, ALL].map((name) => this.#counts.add(name, 1).then((found) => this.#see(name, found))),
    );
    if (own === FORM_DECLINES || all === SERVER_DECLINES)
      this.#log.warn(
        { form, declines: own, onAllForms: all },
        'so many gifts were declined that cards are being tried: who gives is asked for a proof of work',
      );
  }

  #givenAtOnce(form: string): number {
    return this.#atOnce.get(form) ?? 0;
  }

  async #declinesOf(name: string): Promise<number> {
    const seen = this.#seen.get(name);
    return seen && performance.now() < seen.until
      ? seen.count
      : this.#see(name, await this.#counts.read(name));
  }

  #see(name: string, { count, endsIn }: Count): number {
    this.#seen.set(name, { count, until: performance.now() + Math.min(endsIn || FRESH, FRESH) });
    return count;
  }
}
