/** Tests of the shutdown on SIGTERM, for the real clock and a faster one. */
import assert from 'node:assert/strict';
import { createConnection, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { waitUntil } from '../../wait-until.ts';
import { openBench } from '../bench.ts';
import type { Clock } from './support.ts';
import { newKey } from '../support.ts';

/** Docker kills the process after this time, in milliseconds. */
const MAX_SHUTDOWN_TIME = 10_000;

export async function testShutdownWithIdleSockets(clock?: Clock): Promise<void> {
  await using bench = await openBench();
  const server = await bench.serve({ clock });
  const { port, hostname } = new URL(bench.address);
  const sockets = await Promise.all(
    [
      '',
      'POST /donations HTTP/1.1\r\nHost: x\r\n',
      'POST /donations HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    ].map(
      (text) =>
        new Promise<Socket>((resolve) => {
          const socket = createConnection(Number(port), hostname, () => {
            socket.write(text, () => resolve(socket));
          });
          socket.on('error', () => undefined);
        }),
    ),
  );
  // A response to a later connection proves that these were accepted.
  await fetch(`${bench.address}/healthz`);
  const startedAt = Date.now();
  assert.equal(await server.end('SIGTERM'), 0);
  assert.ok(Date.now() - startedAt < MAX_SHUTDOWN_TIME);
  for (const socket of sockets) socket.destroy();
}

export async function testShutdownDuringCharge(clock?: Clock): Promise<void> {
  await using bench = await openBench();
  const server = await bench.serve({ clock });
  const request = await bench.request();
  const key = newKey();
  const release = bench.holdCharges();
  const donation = bench.give(key, request).catch(() => undefined);
  await waitUntil(() => bench.charges() > 0);
  const startedAt = Date.now();
  assert.equal(await server.end('SIGTERM'), 0);
  assert.ok(Date.now() - startedAt < MAX_SHUTDOWN_TIME);
  await donation;
  release();
  await bench.serve({ clock });
  await waitUntil(async () => (await bench.give(key, request)).status === 'succeeded');
  const { reference } = await bench.give(key, request);
  assert.deepEqual(
    (await bench.payments(reference)).map(({ state }) => state),
    ['succeeded'],
  );
  await waitUntil(async () => (await bench.activities()).length > 0);
  assert.equal((await bench.activities()).length, 1);
}

/**
 * Restarts the server while donors make one donation after another, and retry each until it
 * succeeds.
 */
export async function testShutdownAmongDonations({
  donors,
  donations,
  restartAfter,
}: {
  readonly donors: number;
  readonly donations: number;
  /** Numbers of donations after which the server restarts. */
  readonly restartAfter: readonly number[];
}): Promise<void> {
  await using bench = await openBench();
  let server = await bench.serve();
  let succeededCount = 0;

  async function donateUntilSucceeded(key: string): Promise<void> {
    for (;;) {
      const outcome = await bench.give(key).catch(() => undefined);
      assert.notEqual(outcome?.status, 'failed');
      if (outcome?.status === 'succeeded') return;
      await setTimeout(20);
    }
  }

  async function restart(): Promise<void> {
    for (const count of restartAfter) {
      await waitUntil(() => succeededCount >= count);
      const startedAt = Date.now();
      assert.equal(await server.end('SIGTERM'), 0);
      assert.ok(Date.now() - startedAt < MAX_SHUTDOWN_TIME);
      server = await bench.serve();
    }
  }

  let startedCount = 0;
  const donating = Array.from({ length: donors }, async () => {
    while (startedCount < donations) {
      startedCount += 1;
      await donateUntilSucceeded(newKey());
      succeededCount += 1;
    }
  });
  await Promise.all([...donating, restart()]);
  await waitUntil(async () => (await bench.activities()).length >= donations);
  const references = (await bench.activities()).map((text) => /\((.{11})\)/.exec(text)![1]!);
  assert.deepEqual([references.length, new Set(references).size], [donations, donations]);
  for (const reference of references) assert.equal((await bench.payments(reference)).length, 1);
}
