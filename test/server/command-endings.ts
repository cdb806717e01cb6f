/** How the command ends at SIGTERM: at the machine's own speed, or with a faster clock. */
import assert from 'node:assert/strict';
import { createConnection, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { until } from '../until.ts';
import { openBench } from './bench.ts';
import type { Clock } from './command-support.ts';
import { newKey } from './support.ts';

/** Docker kills after so many milliseconds. */
const LONGEST_ENDING = 10_000;

export async function endWithSilentSockets(clock?: Clock): Promise<void> {
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
  // The server has accepted them before it answers a later one.
  await fetch(`${bench.address}/healthz`);
  const began = Date.now();
  assert.equal(await server.end('SIGTERM'), 0);
  assert.ok(Date.now() - began < LONGEST_ENDING);
  for (const socket of sockets) socket.destroy();
}

export async function endWithChargeUnderWay(clock?: Clock): Promise<void> {
  await using bench = await openBench();
  const server = await bench.serve({ clock });
  const request = await bench.request();
  const key = newKey();
  const release = bench.holdCharges();
  const given = bench.give(key, request).catch(() => undefined);
  await until(() => bench.charges() > 0);
  const began = Date.now();
  assert.equal(await server.end('SIGTERM'), 0);
  assert.ok(Date.now() - began < LONGEST_ENDING);
  await given;
  release();
  await bench.serve({ clock });
  await until(async () => (await bench.give(key, request)).state === 'succeeded');
  const { reference } = await bench.give(key, request);
  assert.deepEqual(
    (await bench.payments(reference)).map(({ state }) => state),
    ['succeeded'],
  );
  await until(async () => (await bench.activities()).length > 0);
  assert.equal((await bench.activities()).length, 1);
}

/**
 * Donors give one gift after the other, and ask again until each has succeeded, while the server is
 * ended and started again.
 */
export async function endAmongGifts({
  donors,
  gifts,
  endAfter,
}: {
  readonly donors: number;
  readonly gifts: number;
  /** Numbers of gifts after which the server ends. */
  readonly endAfter: readonly number[];
}): Promise<void> {
  await using bench = await openBench();
  let server = await bench.serve();
  let succeeded = 0;

  async function giveUntilSucceeded(key: string): Promise<void> {
    for (;;) {
      const outcome = await bench.give(key).catch(() => undefined);
      assert.notEqual(outcome?.state, 'declined');
      if (outcome?.state === 'succeeded') return;
      await setTimeout(20);
    }
  }

  async function restart(): Promise<void> {
    for (const count of endAfter) {
      await until(() => succeeded >= count);
      const began = Date.now();
      assert.equal(await server.end('SIGTERM'), 0);
      assert.ok(Date.now() - began < LONGEST_ENDING);
      server = await bench.serve();
    }
  }

  let begun = 0;
  const giving = Array.from({ length: donors }, async () => {
    while (begun < gifts) {
      begun += 1;
      await giveUntilSucceeded(newKey());
      succeeded += 1;
    }
  });
  await Promise.all([...giving, restart()]);
  await until(async () => (await bench.activities()).length >= gifts);
  const references = (await bench.activities()).map((text) => /\((.{11})\)/.exec(text)![1]!);
  assert.deepEqual([references.length, new Set(references).size], [gifts, gifts]);
  for (const reference of references) assert.equal((await bench.payments(reference)).length, 1);
}
