import assert from 'node:assert/strict';
import { copyFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { createSandbox } from '../../../src/sandbox/index.ts';
import type { DonationPayload } from '../../../src/server/database/schema.ts';
import { openSqlite } from '../../../src/server/database/sqlite-database.ts';
import { DonationRepository } from '../../../src/server/donations/donation-repository.ts';
import { CARDS as STRIPE_CARDS, startFakeStripe } from '../../fake-stripe.ts';
import { startSmtpServer } from '../alerts/support.ts';
import { createTestMail, listMailMessages, sendNow } from '../mail/support.ts';
import { startServerWithStripe } from '../payments/support.ts';
import { addDonation } from '../reporting/add-donation.ts';
import { callReportingApi, DAY, reconcile, waitForDelivery } from '../reporting/support.ts';
import { createIdempotencyKey, PLATFORM_KEY, readOutcome, startServer } from '../support.ts';
import { createFolder } from '../temporary-folder.ts';

const insertDonation = (repository: DonationRepository, index: number) =>
  repository.insertDonation({
    reference: `R${index}`,
    idempotencyKeyHash: `key ${index}`,
    fingerprint: '',
    organization: 'o',
    payload: { donor: {}, gift: {} } as DonationPayload,
    dueAt: 0,
  });

test('makes a consistent backup during writes, with every donation that existed when it started', async () => {
  const folder = createFolder();
  const database = await openSqlite(join(folder, 'database.sqlite'));
  const repository = new DonationRepository(database);
  for (let index = 0; index < 300; index += 1) await insertDonation(repository, index);
  let written = 300;
  const copying = new AbortController();
  const writing = (async () => {
    while (!copying.signal.aborted) await insertDonation(repository, written++);
  })();
  const copy = await database.copy!(join(folder, 'copy.sqlite')).finally(() => {
    copying.abort();
  });
  await writing;
  assert.ok(copy.donations >= 300 && copy.donations <= written, `${copy.donations} of ${written}`);
  using opened = new DatabaseSync(copy.file, { readOnly: true });
  assert.deepEqual(Object.values(opened.prepare('PRAGMA integrity_check').get()!), ['ok']);
  const { count } = opened
    .prepare(
      'SELECT count(*) AS count FROM donations WHERE CAST(substr(reference, 2) AS INTEGER) < 300',
    )
    .get()!;
  assert.equal(count, 300);
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith('copy')),
    ['copy.sqlite'],
    'no incomplete file remains',
  );
  await assert.rejects(database.copy!(copy.file), /copy\.sqlite already exists/);
  await assert.rejects(database.copy!('relative.sqlite'), /expected an absolute path/);
  await assert.rejects(
    database.copy!(join(folder, 'none', 'copy.sqlite')),
    /Cannot copy the database/,
  );
  await database.close();
});

test('after restoring an old backup, looks up donations in progress, applies later events, and lists donations that only the processor knows', async () => {
  const folder = createFolder();
  const file = join(folder, 'database.sqlite');
  let time = Date.now();
  const getNextTime = (): number => {
    time += 1;
    return time;
  };
  await using fakeStripe = await startFakeStripe();
  const sandbox = createSandbox({
    platformKey: PLATFORM_KEY,
    now: () => new Date(getNextTime()),
  });
  const before = await startServerWithStripe(
    { database: file, now: getNextTime, sandbox },
    fakeStripe,
  );
  const { reference: monthly } = await before.donate(STRIPE_CARDS.good, { frequency: 'monthly' });
  const key = createIdempotencyKey();
  const { reference: asked } = await before.donate(STRIPE_CARDS.authenticated, {}, key);
  await waitForDelivery(before);
  const backup = await callReportingApi(before, '/backup', { file: join(folder, 'copy.sqlite') });
  assert.equal(((await backup.json()) as { donations: number }).donations, 2);
  fakeStripe.completeAuthentication(
    (await before.repository.findByReference(asked))!.paymentId!,
    true,
  );
  await before.postJson('/donations/confirm', {}, { key });
  fakeStripe.renewSubscription((await before.repository.findByReference(monthly))!.subscriptionId!);
  const { reference: since } = await before.donate();
  await before.deliverWebhooks();
  await waitForDelivery(before);
  await before.handler.stop();
  await before.database.close();
  await copyFile(join(folder, 'copy.sqlite'), file);
  for (const rest of ['-wal', '-shm']) await rm(`${file}${rest}`, { force: true });

  await using after = await startServerWithStripe(
    { database: file, now: getNextTime, sandbox },
    fakeStripe,
  );
  after.handler.start();
  assert.notEqual(
    (await after.repository.findByReference(monthly))!.restoredAt,
    null,
    'renewals from webhooks stay pending',
  );
  time += 5 * 60_000;
  await waitForDelivery(after);
  assert.equal(
    (await readOutcome(await after.fetchOutcome(key))).status,
    'requires_action',
    'the backup is older than the outcome',
  );
  const lookedUp = await readOutcome(await after.postJson('/donations/confirm', {}, { key }));
  assert.deepEqual([lookedUp.status, fakeStripe.listCharges(asked).length], ['succeeded', 1]);
  time += DAY;
  const lost = await reconcile(after);
  assert.deepEqual(
    lost.differences.toSorted(),
    [
      `missing database donation ${since}`,
      `missing database donation ${since}`,
      `missing database donation ${monthly}-2`,
      `missing database renewal ${monthly}`,
    ].toSorted(),
    'with the status at the processor and the platform',
  );
  assert.deepEqual((await reconcile(after, { apply: true })).applied, [`${monthly}-2 renewal`]);
  assert.equal(
    (await after.repository.findByReference(monthly))!.restoredAt,
    null,
    'and are no longer pending',
  );
  await waitForDelivery(after);
  assert.deepEqual(
    (await reconcile(after)).differences,
    [`missing database donation ${since}`, `missing database donation ${since}`],
    'gifts that the platform had are not recorded twice',
  );
  assert.equal(fakeStripe.listCharges(since).length, 1);
});

test('sends none of the mail that waited when a backup was made', async () => {
  await using smtp = await startSmtpServer();
  const folder = createFolder();
  const copy = join(folder, 'copy.sqlite');
  const options = { hasBackgroundJobs: false, mail: createTestMail(smtp.port) };
  await using before = await startServer({ ...options, database: join(folder, 'before.sqlite') });
  await addDonation(before.repository);
  await before.database.copy!(copy);
  await using after = await startServer({ ...options, database: copy });
  await sendNow(after);
  assert.deepEqual(smtp.received, []);
  assert.deepEqual(
    (await listMailMessages(after)).map(({ status, lastError }) => [status, lastError]),
    [['canceled', 'It was about to be sent when the database was backed up.']],
  );
  await sendNow(before);
  assert.equal(smtp.received.length, 1);
});

test('makes one of two concurrent backups to the same file, and reports for the other that the file exists', async () => {
  const folder = createFolder();
  const database = await openSqlite(join(folder, 'database.sqlite'));
  const repository = new DonationRepository(database);
  const file = join(folder, 'copy.sqlite');
  for (let index = 0; index < 30; index += 1) await insertDonation(repository, index);
  const [made, refused] = (
    await Promise.allSettled([database.copy!(file), database.copy!(file)])
  ).toSorted((one, other) => one.status.localeCompare(other.status));
  assert.equal(made?.status === 'fulfilled' && made.value.donations, 30);
  assert.match(
    refused?.status === 'rejected' ? String(refused.reason) : '',
    /copy\.sqlite already exists/,
  );
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith('copy')),
    ['copy.sqlite'],
  );
  await database.close();
});
