import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eraseExpiredReceipts } from '../../../src/server/privacy/retention.ts';
import { ADMIN_KEY, callAdmin } from '../admin/support.ts';
import { addDonation, addEvent, recordOnPlatform } from '../reporting/add-donation.ts';
import { readAllTables } from '../reporting/support.ts';
import { readJson, startServer, type TestServer } from '../support.ts';
import {
  describeReceipts,
  issueReceipts,
  listReceipts,
  neutralReceipts,
  readReceipt,
  usReceipts,
} from './support.ts';

const NOON = Date.UTC(2026, 10, 30, 12);
const donor = {
  firstName: 'Quenby',
  lastName: 'Zest',
  email: 'quenby@example.org',
  address1: '5 Zest Lane',
  city: 'Salem',
};

const callDonors = (server: TestServer, action: 'export' | 'delete') =>
  callAdmin(server, `/api/donors/${action}`, {
    email: donor.email,
    ...(action === 'delete' && { by: 'Mara' }),
  });

test('erases the donor in a neutral receipt, but keeps number, day, amount, and hash', async () => {
  await using server = await startServer({
    adminKey: ADMIN_KEY,
    receipts: neutralReceipts,
    now: () => NOON,
  });
  await addDonation(server.repository, { donor, platformId: 7 });
  await issueReceipts(server);
  const [before] = await listReceipts(server);
  assert.match(await readReceipt(server, before!), /Quenby Zest[^]*5 Zest Lane[^]*Salem/);
  const record = await readJson<{ donations: { receipts: object[] }[] }>(
    callDonors(server, 'export'),
  );
  const [exported] = record.donations[0]!.receipts as [{ number: string; donor: object }];
  assert.deepEqual(
    [exported.number, exported.donor],
    ['WEB-2026-000001', { name: 'Quenby Zest', addressLines: ['5 Zest Lane', 'Salem'] }],
  );
  assert.equal((await callDonors(server, 'delete')).status, 200);
  const [after] = await listReceipts(server);
  const payload = { ...before!.payload! };
  delete payload.donor;
  assert.deepEqual(after, { ...before!, payload });
  assert.doesNotMatch(await readAllTables(server), /Quenby|Zest/);
});

test('keeps the donor in a tax receipt for the configured years, and then erases it', async () => {
  let time = NOON;
  await using server = await startServer({
    adminKey: ADMIN_KEY,
    receipts: { ...usReceipts, keepYears: 2 },
    now: () => time,
  });
  const reference = await addDonation(server.repository, { donor, platformId: 7 });
  await issueReceipts(server);
  await addDonation(server.repository, { donor: { ...donor, email: 'other@example.org' } });
  await issueReceipts(server);
  await callDonors(server, 'delete');
  const [deleted, other] = await listReceipts(server);
  assert.equal(deleted!.reference, reference);
  const erase = () => eraseExpiredReceipts(server);
  time = Date.UTC(2028, 11, 31, 23);
  await erase();
  assert.match(await readReceipt(server, deleted!), /Quenby/);
  time = Date.UTC(2029, 0, 1);
  await erase();
  await assert.rejects(readReceipt(server, deleted!));
  assert.equal((await listReceipts(server))[0]!.payload!.donor, undefined);
  assert.match(await readReceipt(server, other!), /Quenby/);
});

test('issues no receipt for a deleted donor, and only voids one after a refund', async () => {
  let time = NOON;
  await using server = await startServer({
    adminKey: ADMIN_KEY,
    receipts: neutralReceipts,
    now: () => time,
  });
  await addDonation(server.repository, { donor, platformId: 7 });
  await callDonors(server, 'delete');
  await issueReceipts(server);
  assert.deepEqual(await describeReceipts(server), []);
  const reference = await addDonation(server.repository, { donor });
  await issueReceipts(server);
  await recordOnPlatform(server.repository, reference, 8);
  await callDonors(server, 'delete');
  time += 1_000;
  await addEvent(server.repository, reference, 'refund', { at: time, amount: 1_000 });
  time += 1_000;
  await issueReceipts(server);
  assert.deepEqual(await describeReceipts(server), ['WEB-2026-000001 void by refund 5000']);
});
