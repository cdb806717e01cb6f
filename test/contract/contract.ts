import assert from 'node:assert/strict';
import { test } from 'node:test';

/** A sentence of a specification, and the test of a platform and our client for it. */
export interface ContractCheck<Target> {
  /** The section that contains the sentence. */
  readonly section: string;
  readonly sentence: string;
  /**
   * Runs only against the sandbox: it moves the clock, exhausts a limit, or depends on known data.
   */
  readonly needsSandbox?: true;
  readonly run: (target: Target) => Promise<void> | void;
}

/** A platform under test. */
export interface ContractTarget {
  readonly isSandbox: boolean;
  /** Advances the sandbox's clock by a minute, so that checks do not share a rate limit. */
  readonly advanceOneMinute: () => void;
}

/** Defines one test for each sentence of a contract. */
export function testContract<Target extends ContractTarget>(
  name: string,
  checks: readonly ContractCheck<Target>[],
  open: () => Target,
): void {
  const target = open();
  for (const { section, sentence, needsSandbox, run } of checks) {
    if (needsSandbox && !target.isSandbox) continue;
    test(`${name}, ${section}: ${sentence}`, async () => {
      target.advanceOneMinute();
      await run(target);
    });
  }
}

/**
 * Creates a check for each enumeration.
 * @param enumerations with the expected names and values, sorted by value, such as `And 0, Or 1`.
 */
export function createEnumerationChecks(
  enumerations: Readonly<
    Record<string, readonly [values: Readonly<Record<string, number>>, expected: string]>
  >,
): ContractCheck<unknown>[] {
  return Object.entries(enumerations).map(([name, [values, expected]]) => ({
    section: 'Enumerations',
    sentence: `${name}: ${expected}`,
    run: () => {
      assert.equal(
        Object.entries(values)
          .sort(([, a], [, b]) => a - b)
          .map(([key, value]) => `${key} ${value}`)
          .join(', '),
        expected,
      );
    },
  }));
}
