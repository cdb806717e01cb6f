import assert from 'node:assert/strict';
import { test } from 'node:test';

/** One sentence of a specification, and what holds a platform and our client to it. */
export interface Check<Target> {
  /** Where the sentence stands. */
  readonly section: string;
  readonly sentence: string;
  /**
   * What it needs cannot be asked of somebody's real platform: its clock moved, its limits used up,
   * its history known.
   */
  readonly needsSandbox?: true;
  readonly run: (target: Target) => Promise<void> | void;
}

/** A platform that is checked, and what is needed to do so. */
export interface Opened {
  readonly isSandbox: boolean;
  /** Lets a minute pass, so that one check does not use up another's requests. */
  readonly rest: () => void;
}

/** Runs a contract, a test for each sentence, which is its name. */
export function runContract<Target extends Opened>(
  name: string,
  checks: readonly Check<Target>[],
  open: () => Target,
): void {
  const target = open();
  for (const { section, sentence, needsSandbox, run } of checks) {
    if (needsSandbox && !target.isSandbox) continue;
    test(`${name}, ${section}: ${sentence}`, async () => {
      target.rest();
      await run(target);
    });
  }
}

/**
 * A check for each enumeration.
 * @param expected its names and values, in the order of the values, such as `And 0, Or 1`.
 */
export function enumerationChecks(
  enumerations: Readonly<
    Record<string, readonly [values: Readonly<Record<string, number>>, expected: string]>
  >,
): Check<unknown>[] {
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
