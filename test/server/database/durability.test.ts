import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { type CompletedDonation, makeDonations } from '../../load/donors.ts';
import { getTracerCommand, readTrace, type TracedCall } from '../../load/traced-calls.ts';
import { fetchForm, openWorld } from '../../load/world.ts';
import { createFolder } from '../temporary-folder.ts';

interface Traced {
  readonly together: readonly CompletedDonation[];
  /** Statuses of donations one after the other. */
  readonly single: readonly CompletedDonation[];
  readonly calls: readonly TracedCall[];
}

async function traceSystemCalls(): Promise<Traced> {
  const file = join(createFolder(), 'trace');
  await using world = await openWorld({ commandPrefix: getTracerCommand(file) });
  const server = await world.startServer();
  const options = {
    urls: [server.url],
    form: await fetchForm(server.url),
    createPayment: world.createPayment,
  };
  const together = await makeDonations({ ...options, donors: 16, count: 48 });
  const single = await makeDonations({ ...options, donors: 1, count: 12 });
  await server.terminate();
  return { together, single, calls: readTrace(file) };
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
