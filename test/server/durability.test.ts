import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { give, type Told } from '../load/donors.ts';
import { readTrace, tracer, type TracedCall } from '../load/traced-calls.ts';
import { openWorld, seeForm } from '../load/world.ts';

/**
 * Gives under a tracer.
 * @returns what donors were told, and which calls the server made meanwhile.
 */
async function traced(
  gifts: number,
  donors: number,
): Promise<{ readonly told: readonly Told[]; readonly calls: readonly TracedCall[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-trace-'));
  const trace = join(folder, 'trace');
  try {
    await using world = await openWorld({ under: tracer(trace) });
    const server = await world.serve();
    const told = await give({
      addresses: [server.address],
      seen: await seeForm(server.address),
      tokens: world.sandbox.tokens,
      gifts,
      donors,
    });
    await server.end();
    return { told, calls: readTrace(trace) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

const isSync = ({ name }: TracedCall): boolean => name === 'fsync' || name === 'fdatasync';

// These are about the default store, whatever the run is about.
if (process.env.TEST_DATABASE_URL === undefined) {
  test(
    'no word of a gift leaves the server, to the processor or the donor, before the disk has it',
    { timeout: 60_000 },
    async () => {
      const { told, calls } = await traced(60, 16);
      assert.equal(told.length, 60);
      for (const { reference } of told) {
        const kept = calls.findIndex(
          ({ name, text }) => name === 'pwrite64' && text.includes(reference),
        );
        const synced = calls.findIndex(
          (call, at) => at > kept && isSync(call) && call.descriptor === calls[kept]?.descriptor,
        );
        const spoken = calls.findIndex(
          ({ name, descriptor, text }) =>
            name !== 'pwrite64' && descriptor > 2 && text.includes(reference),
        );
        assert.ok(
          kept !== -1 && kept < synced && synced < spoken,
          `${reference}: written at ${kept}, on the disk at ${synced}, told at ${spoken}`,
        );
      }
    },
  );

  test(
    'gifts that come one at a time are each waited for by the disk',
    { timeout: 60_000 },
    async () => {
      const { told, calls } = await traced(20, 1);
      const answers = calls.flatMap(({ name, text }, at) =>
        name !== 'pwrite64' &&
        /HTTP\/1\.1 200[^]*state/.test(text) &&
        told.some(({ reference }) => text.includes(reference))
          ? [at]
          : [],
      );
      assert.equal(answers.length, 20);
      answers.forEach((at, index) =>
        assert.ok(calls.slice(answers[index - 1] ?? 0, at).some(isSync), `answer ${index + 1}`),
      );
    },
  );
}
