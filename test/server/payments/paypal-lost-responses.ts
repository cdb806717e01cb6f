import assert from 'node:assert/strict';
import { startServerWithPayPal } from './paypal-server.ts';

/** Makes donations that each lose one response to a call, and checks that each is charged once. */
export async function assertLostResponsesChargeOnce(count: number, call: RegExp): Promise<void> {
  let time = Date.now();
  await using server = await startServerWithPayPal({
    now: () => time,
    hasBackgroundJobs: false,
  });
  const references: string[] = [];
  for (let donation = 0; donation < count; donation += 1) {
    server.paypal.dropResponses(1, call);
    const { key, reference } = await server.placeApprovedOrder();
    references.push(reference);
    await server.confirm(key);
  }
  // The clock stands still while jobs run, so that a slow machine exceeds no time limit.
  for (let run = 0; run < 5; run += 1) {
    time += 61_000;
    await server.handler.runJobs();
  }
  assert.deepEqual(
    references.map(server.getCaptureCount),
    references.map(() => 1),
  );
  assert.deepEqual(
    new Set((await server.listGifts()).map(({ reference }) => reference)),
    new Set(references),
  );
}
