import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { makeDonations, type CompletedDonation } from '../../load/donors.ts';
import { getTracerCommand, readTrace, type TracedCall } from '../../load/traced-calls.ts';
import { openWorld, fetchForm } from '../../load/world.ts';

interface Traced {
  /** Results of concurrent donations. */
  readonly together: readonly CompletedDonation[];
  /** Statuses of donations one after the other. */
  readonly single: readonly CompletedDonation[];
  /** Calls that the server made meanwhile. */
  readonly calls: readonly TracedCall[];
}

/** Makes donations while system calls are traced. */
async function traceSystemCalls(): Promise<Traced> {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-trace-'));
  const file = join(folder, 'trace');
  try {
    await using world = await openWorld({ commandPrefix: getTracerCommand(file) });
    const server = await world.startServer();
    const form = await fetchForm(server.url);
    const donateAs = (donors: number, count: number): Promise<CompletedDonation[]> =>
      makeDonations({
        urls: [server.url],
        form,
        createPayment: world.createPayment,
        count,
        donors,
      });
    const together = await donateAs(16, 48);
    const single = await donateAs(1, 12);
    await server.terminate();
    return { together, single, calls: readTrace(file) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

const isSync = ({ name }: TracedCall): boolean => name === 'fsync' || name === 'fdatasync';

void describe('the default database', () => {
  let traced: Traced;
  before(async () => {
    traced = await traceSystemCalls();
  });

  test('syncs a donation to disk before it calls the processor or responds to the donor', () => {
    const { together, calls } = traced;
    assert.equal(together.length, 48);
    for (const { reference } of together) {
      const written = calls.findIndex(
        ({ name, text }) => name === 'pwrite64' && text.includes(reference),
      );
      const synced = calls.findIndex(
        (call, at) =>
          at > written && isSync(call) && call.descriptor === calls[written]?.descriptor,
      );
      const spoken = calls.findIndex(
        ({ name, descriptor, text }) =>
          name !== 'pwrite64' && descriptor > 2 && text.includes(reference),
      );
      assert.ok(
        written !== -1 && written < synced && synced < spoken,
        `${reference}: written at ${written}, on the disk at ${synced}, sent at ${spoken}`,
      );
    }
  });

  test('syncs each donation to disk if donations arrive one at a time', () => {
    const { single, calls } = traced;
    const responses = calls.flatMap(({ name, text }, at) =>
      name !== 'pwrite64' &&
      /HTTP\/1\.1 200[^]*status/.test(text) &&
      single.some(({ reference }) => text.includes(reference))
        ? [at]
        : [],
    );
    assert.equal(responses.length, 12);
    const begin = calls.findIndex(({ text }) => text.includes(single[0]!.reference));
    responses.forEach((at, index) =>
      assert.ok(calls.slice(responses[index - 1] ?? begin, at).some(isSync), `answer ${index + 1}`),
    );
  });
});
