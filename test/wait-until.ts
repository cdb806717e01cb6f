import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';

/** Waits until a condition is true; fails after a minute. */
export async function waitUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await condition())) {
    if (Date.now() > deadline) assert.fail(`Not true within a minute: ${condition.toString()}`);
    await setTimeout(10);
  }
}
