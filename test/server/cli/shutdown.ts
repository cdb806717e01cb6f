/** Tests of the shutdown on SIGTERM, for the real clock and a faster one. */
import assert from 'node:assert/strict';
import { createConnection, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { waitUntil } from '../../wait-until.ts';
import { createCommandEnvironment } from '../command-environment.ts';
import { createIdempotencyKey } from '../support.ts';
import type { Clock } from './support.ts';

/** Docker kills the process after this time, in milliseconds. */
const MAX_SHUTDOWN_TIME = 10_000;

export async function testShutdownWithIdleSockets(clock?: Clock): Promise<void> {
  await using environment = await createCommandEnvironment();
  const server = await environment.startServer({ clock });
  const { port, hostname } = new URL(environment.url);
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
  await fetch(`${environment.url}/healthz`);
  const startedAt = Date.now();
  assert.equal(await server.stop('SIGTERM'), 0);
  assert.ok(Date.now() - startedAt < MAX_SHUTDOWN_TIME);
  for (const socket of sockets) socket.destroy();
}

export async function testShutdownDuringCharge(clock?: Clock): Promise<void> {
  await using environment = await createCommandEnvironment();
  const server = await environment.startServer({ clock });
  const request = await environment.createRequest();
  const key = createIdempotencyKey();
  const release = environment.holdCharges();
  const donation = environment.donate(key, request).catch(() => undefined);
  await waitUntil(() => environment.countCharges() > 0);
  const startedAt = Date.now();
  assert.equal(await server.stop('SIGTERM'), 0);
  assert.ok(Date.now() - startedAt < MAX_SHUTDOWN_TIME);
  await donation;
  release();
  await environment.startServer({ clock });
  await waitUntil(async () => (await environment.donate(key, request)).status === 'succeeded');
  const { reference } = await environment.donate(key, request);
  assert.equal((await environment.listCharges(reference)).length, 1);
  await waitUntil(async () => (await environment.listActivities()).length > 0);
  assert.equal((await environment.listActivities()).length, 1);
}

/** Restarts the server while donors make donations, and retry each until it succeeds. */
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
  await using environment = await createCommandEnvironment();
  let server = await environment.startServer();
  let succeededCount = 0;

  async function donateUntilSucceeded(key: string): Promise<void> {
    for (;;) {
      const outcome = await environment.donate(key).catch(() => undefined);
      assert.notEqual(outcome?.status, 'failed');
      if (outcome?.status === 'succeeded') return;
      await setTimeout(20);
    }
  }

  async function restartServer(): Promise<void> {
    for (const count of restartAfter) {
      await waitUntil(() => succeededCount >= count);
      const startedAt = Date.now();
      assert.equal(await server.stop('SIGTERM'), 0);
      assert.ok(Date.now() - startedAt < MAX_SHUTDOWN_TIME);
      server = await environment.startServer();
    }
  }

  let startedCount = 0;
  const donating = Array.from({ length: donors }, async () => {
    while (startedCount < donations) {
      startedCount += 1;
      await donateUntilSucceeded(createIdempotencyKey());
      succeededCount += 1;
    }
  });
  await Promise.all([...donating, restartServer()]);
  await waitUntil(async () => (await environment.listActivities()).length >= donations);
  const references = (await environment.listActivities()).map(
    (text) => /\((.{11})\)/.exec(text)![1]!,
  );
  assert.deepEqual([references.length, new Set(references).size], [donations, donations]);
  for (const reference of references)
    assert.equal((await environment.listCharges(reference)).length, 1);
}
