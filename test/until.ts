import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';

/** Waits until a condition holds, and fails after a minute. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const limit = Date.now() + 60_000;
  while (!(await isSo())) {
    if (Date.now() > limit) assert.fail('it did not come true within a minute');
    await setTimeout(10);
  }
}
