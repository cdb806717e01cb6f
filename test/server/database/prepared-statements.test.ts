import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { formWithPayments } from '../payments/support.ts';
import { startServer } from '../support.ts';

const MINUTE = 60_000;

test('processes every donation with the same prepared statements', async (t) => {
  const prepare = t.mock.method(DatabaseSync.prototype, 'prepare');
  let time = Date.UTC(2026, 10, 22, 10);
  await using server = await startServer({
    form: formWithPayments,
    now: () => time,
    hourlyLimit: 10_000,
  });
  const makeCardDonationAndPledge = async (number: number): Promise<void> => {
    for (const isPromised of [false, true]) {
      time += MINUTE;
      const { status } = await server.makeDonation({
        donor: { email: `${number}@example.org` },
        ...(isPromised && { payment: { provider: 'offline' } }),
      });
      assert.equal(status, isPromised ? 'processing' : 'succeeded');
      await server.handler.runJobs();
    }
  };
  for (let number = 0; number < 3; number += 1) await makeCardDonationAndPledge(number);
  const listStatements = (): string[] => prepare.mock.calls.map(({ arguments: [text] }) => text);
  const ready = new Set(listStatements());
  for (let number = 3; number < 6; number += 1) await makeCardDonationAndPledge(number);
  assert.deepEqual(
    listStatements().filter((text) => !ready.has(text)),
    [],
  );
  assert.equal((await server.listGifts()).length, 12);
});
