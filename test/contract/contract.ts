import { test } from 'node:test';

/** One sentence of a specification, and what holds a platform and our client to it. */
export interface Check<Target> {
  /** Where the sentence stands. */
  readonly section: string;
  readonly sentence: string;
  /** What it needs cannot be asked of somebody's real platform: its clock moved, its limits used up, its history known. */
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
export function runContract<Target extends Opened>(name: string, checks: readonly Check<Target>[], open: () => Target): void {
  const target = open();
  for (const { section, sentence, needsSandbox, run } of checks) {
    if (needsSandbox && !target.isSandbox) continue;
    test(`${name}, ${section}: ${sentence}`, async () => {
      target.rest();
      await run(target);
    });
  }
}
