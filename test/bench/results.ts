import { computeMedian, computeRatios, computeSpread, type Spread } from './statistics.ts';
import { HAND_WRITTEN, type LargeSize, type Subject } from './subjects.ts';

/**
 * Times are in milliseconds, the heap is in bytes; the sizes stand for CPU times until ready, and
 * `script` and `layout` for parts of the CPU time until ready.
 */
export type Measure =
  'ready' | 'click' | 'heap' | 'cpu' | 'script' | 'layout' | 'total cpu' | LargeSize;

/** Measured numbers of all rounds, in their order. */
export class Results {
  readonly #numbers = new Map<string, number[]>();
  /** Number of measurements, and of those during which the machine was busy with other work. */
  measurements = 0;
  busyMeasurements = 0;

  add(measure: Measure, { name }: Subject, number: number): void {
    const key = `${measure} ${name}`;
    const numbers = this.#numbers.get(key);
    if (numbers) numbers.push(number);
    else this.#numbers.set(key, [number]);
  }

  getMedian(measure: Measure, subject: Subject): number {
    return computeMedian(this.#getNumbers(measure, subject));
  }

  /** Returns the median and the quartiles of the ratios to the hand-written form. */
  getRatio(measure: Measure, subject: Subject): Spread {
    return computeSpread(
      computeRatios(this.#getNumbers(measure, subject), this.#getNumbers(measure, HAND_WRITTEN)),
    );
  }

  #getNumbers(measure: Measure, { name }: Subject): readonly number[] {
    return this.#numbers.get(`${measure} ${name}`)!;
  }
}
