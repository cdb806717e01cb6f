import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type EndCharge,
  PendingCharges,
} from '../../../src/server/fraud-protection/pending-charges.ts';
import { REJECTION_LIMITS } from '../../../src/server/fraud-protection/thresholds.ts';

/** Ends all started charges with the result until no more start. Returns the number in each round. */
async function countStartsInRounds(
  attempts: number,
  result: Parameters<EndCharge>[0],
): Promise<number[]> {
  const charges = new PendingCharges(REJECTION_LIMITS);
  const count = { subject: 'address', key: 'a', attempts: 1, declines: 0, expiresIn: 1 } as const;
  let started: EndCharge[] = [];
  for (let index = 0; index < attempts; index += 1)
    charges
      .startCharge([count], ([first]) => {
        if (first!.declines >= REJECTION_LIMITS.address.declines) throw new Error('refused');
      })
      .then(
        (endCharge) => started.push(endCharge),
        () => undefined,
      );
  const rounds: number[] = [];
  for (;;) {
    await new Promise(setImmediate);
    if (started.length === 0) return rounds;
    rounds.push(started.length);
    const ended = started;
    started = [];
    for (const endCharge of ended) endCharge(result);
  }
}

test('lets twice as many charges start after each round of accepted charges', async () => {
  assert.deepEqual(await countStartsInRounds(300, 'accepted'), [12, 24, 48, 96, 120]);
});

test('starts no more charges after a round of declined charges', async () => {
  assert.deepEqual(await countStartsInRounds(300, 'declined'), [12]);
});
