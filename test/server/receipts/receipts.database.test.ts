import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { ALERT_RULES } from '../../../src/server/alerts/alert-rules.ts';
import { MetricReader } from '../../../src/server/alerts/metric-reader.ts';
import { rethrowDatabaseError } from '../../../src/server/database/database-error.ts';
import { hashSha256 } from '../../../src/server/lib/hash.ts';
import { requestCorrection, voidReceipt } from '../../../src/server/receipts/receipt-changes.ts';
import { ReceiptIssuer } from '../../../src/server/receipts/receipt-issuer.ts';
import type { ReceiptRenderer } from '../../../src/server/receipts/receipt-renderer.ts';
import { renderReceiptHtml } from '../../../src/server/receipts/render-receipt.ts';
import { ADMIN_KEY, callAdmin, resolveDonation } from '../admin/support.ts';
import { addDonation, addEvent, addRenewal } from '../reporting/add-donation.ts';
import { startServer, type TestServer } from '../support.ts';
import {
  describeReceipts,
  issueReceipts,
  listReceipts,
  neutralReceipts,
  readReceipt,
} from './support.ts';

const NOON = Date.UTC(2026, 10, 30, 12);
const DAY = 86_400_000;
const options = { receipts: neutralReceipts, now: () => NOON };

test('numbers the receipts of paid donations and renewals without gaps, and stores each document', async () => {
  let time = NOON;
  await using server = await startServer({ ...options, now: () => (time += 1) });
  const first = await addDonation(server.repository, { frequency: 'monthly' });
  await addDonation(server.repository, { outcome: 'failed' });
  await addRenewal(server.repository, first, { at: NOON, amount: 6_000 });
  await addDonation(server.repository);
  await issueReceipts(server);
  assert.deepEqual(await describeReceipts(server), [
    'WEB-2026-000001 issued 5000',
    'WEB-2026-000002 issued 6000',
    'WEB-2026-000003 issued 5000',
  ]);
  for (const receipt of await listReceipts(server)) {
    const html = await readReceipt(server, receipt);
    assert.ok(html.includes(receipt.reference));
    assert.equal(receipt.hash, hashSha256(Buffer.from(html)));
    assert.equal(receipt.template, 'neutral@1');
  }
});

test('issues nothing without settings, and nothing for donations accepted before', async () => {
  await using server = await startServer({ now: () => NOON });
  const reference = await addDonation(server.repository);
  const [organization] = server.organizations.all;
  server.replaceOrganizations([{ ...organization!, receipts: neutralReceipts }]);
  await addEvent(server.repository, reference, 'refund', { at: NOON, amount: 1_000 });
  await issueReceipts(server);
  assert.deepEqual(await listReceipts(server), []);
});

test('issues nothing for donations and renewals from a backup', async () => {
  await using server = await startServer(options);
  const { repository, database } = server;
  const debit = await addDonation(repository, { outcome: 'settling', frequency: 'monthly' });
  await issueReceipts(server);
  await database.db.updateTable('donations').set({ restoredAt: NOON }).execute();
  const restored = (await repository.findByReference(debit))!;
  await repository.applyTrigger(restored, { type: 'succeeded' });
  const payload = { at: NOON, amount: 5_000 };
  const renewal = { id: 'renewal in_1', paymentId: 'pi_1', payload };
  await repository.outbox.insertRenewal(restored, renewal, true);
  await issueReceipts(server);
  assert.deepEqual(await describeReceipts(server), []);
});

test('voids a receipt after a refund, replaces it after a partial one, and again if the refund fails', async () => {
  await using server = await startServer(options);
  const { repository } = server;
  // One after the other, because rows of the same time are handled in the order of their IDs.
  const refunded = await addDonation(repository);
  await issueReceipts(server);
  const partly = await addDonation(repository);
  await issueReceipts(server);
  await addEvent(repository, refunded, 'refund', { at: NOON, amount: 5_000 });
  await addEvent(repository, partly, 'refund', { at: NOON, amount: 2_000 });
  await issueReceipts(server);
  const expected = [
    'WEB-2026-000001 void by refund 5000',
    'WEB-2026-000002 void by refund 5000',
    'WEB-2026-000003 issued 3000',
  ];
  assert.deepEqual(await describeReceipts(server), expected);
  const [, replaced, replacement] = await listReceipts(server).then((rows) =>
    rows.filter(({ number }) => number !== null),
  );
  assert.equal(replacement!.replaces, replaced!.id);
  assert.match(await readReceipt(server, replacement!), /replaces receipt WEB-2026-000002/);
  await addEvent(repository, partly, 'refund_failed', { at: NOON, amount: 2_000 });
  await issueReceipts(server);
  assert.deepEqual(await describeReceipts(server), [
    ...expected.slice(0, 2),
    'WEB-2026-000003 void by refund_failed 3000',
    'WEB-2026-000004 issued 5000',
  ]);
});

test('voids a receipt while a payment is disputed, and issues a new one only if the dispute is won', async () => {
  await using server = await startServer(options);
  const { repository } = server;
  const won = await addDonation(repository);
  const lost = await addDonation(repository);
  await issueReceipts(server);
  for (const reference of [won, lost])
    await addEvent(repository, reference, 'dispute_opened', { at: NOON, amount: 5_000 });
  await issueReceipts(server);
  const disputed = [
    'WEB-2026-000001 void by dispute_opened 5000',
    'WEB-2026-000002 void by dispute_opened 5000',
  ];
  assert.deepEqual(await describeReceipts(server), disputed);
  await addEvent(repository, lost, 'dispute_lost', { at: NOON, amount: 5_000 });
  await addEvent(repository, won, 'dispute_won', { at: NOON, amount: 5_000 });
  await issueReceipts(server);
  assert.deepEqual(await describeReceipts(server), [...disputed, 'WEB-2026-000003 issued 5000']);
});

test('issues the receipt of a bank debit and of a pledge once the money has arrived', async () => {
  let time = NOON;
  await using server = await startServer({
    adminKey: ADMIN_KEY,
    receipts: neutralReceipts,
    now: () => time,
  });
  const { repository } = server;
  const debit = await addDonation(repository, { outcome: 'settling' });
  const failing = await addDonation(repository, { outcome: 'settling' });
  const pledge = await addDonation(repository, { outcome: 'promised' });
  await issueReceipts(server);
  assert.deepEqual(await describeReceipts(server), []);
  time += 86_400_000;
  await repository.applyTrigger((await repository.findByReference(debit))!, { type: 'succeeded' });
  await repository.applyTrigger((await repository.findByReference(failing))!, {
    type: 'failed',
    reason: 'payment-failed',
  });
  const { status, message } = await resolveDonation(server, pledge, { decision: 'succeeded' });
  assert.equal(status, 200, message);
  await issueReceipts(server);
  const receipts = (await listReceipts(server)).filter(({ number }) => number !== null);
  assert.deepEqual(new Set(receipts.map(({ reference }) => reference)), new Set([debit, pledge]));
  for (const { payload } of receipts) assert.equal(payload!.day, '2026-12-01');
});

test('issues the receipt of a payment that a person confirmed and entered on the platform', async () => {
  await using server = await startServer({ ...options, adminKey: ADMIN_KEY });
  const { repository } = server;
  const reference = await addDonation(repository, { outcome: 'settling', platformId: 7 });
  await issueReceipts(server);
  const settling = (await repository.findByReference(reference))!;
  await repository.applyTrigger(settling, { type: 'contradicted' });
  const decision = { decision: 'entered', platformId: 7 };
  const { status, message } = await resolveDonation(server, reference, decision);
  assert.equal(status, 200, message);
  await issueReceipts(server);
  assert.deepEqual(await describeReceipts(server), ['WEB-2026-000001 issued 5000']);
});

test("gives test donations numbers of another series, without the donor's words", async () => {
  await using server = await startServer(options);
  const donor = { firstName: 'Quenby', email: 'ana@example.org' };
  await addDonation(server.repository, { isTest: true, donor });
  await addDonation(server.repository, { donor });
  await issueReceipts(server);
  assert.deepEqual(await describeReceipts(server), [
    'TEST-2026-000001 issued 5000',
    'WEB-2026-000001 issued 5000',
  ]);
  const [test, real] = await listReceipts(server);
  assert.match(await readReceipt(server, test!), /This is a test, not a receipt/);
  assert.doesNotMatch(await readReceipt(server, test!), /Quenby/);
  assert.match(await readReceipt(server, real!), /Quenby/);
});

test("starts at 1 when the year begins in the organization's time zone", async () => {
  let time = Date.UTC(2026, 11, 31, 12, 59);
  await using server = await startServer({
    ...options,
    timeZone: 'Asia/Vladivostok',
    now: () => time,
  });
  for (const minutes of [0, 59, 2]) {
    time += minutes * 60_000;
    await addDonation(server.repository);
    await issueReceipts(server);
  }
  assert.deepEqual(
    (await listReceipts(server)).map(({ year, number, payload }) => [year, number, payload!.day]),
    [
      [2026, 1, '2026-12-31'],
      [2026, 2, '2026-12-31'],
      [2027, 1, '2027-01-01'],
    ].sort(([, a], [, b]) => Number(a) - Number(b)),
  );
});

test('confirms what is left if a refund arrives before the receipt is issued', async () => {
  await using server = await startServer(options);
  const reference = await addDonation(server.repository);
  await addEvent(server.repository, reference, 'refund', { at: NOON, amount: 2_000 });
  await issueReceipts(server);
  assert.deepEqual(await describeReceipts(server), ['WEB-2026-000001 issued 3000']);
});

test('gives no number if saving fails, and issues the receipt later', async () => {
  let isBroken = true;
  await using server = await startServer({
    ...options,
    changeDatabase: (database) => ({
      ...database,
      writer: {
        ...database.writer,
        write: (callback) =>
          database.writer.write(async (transaction) => {
            const result = await callback(transaction);
            const row = await transaction
              .selectFrom('receipts')
              .select('id')
              .where('status', '=', 'issued')
              .executeTakeFirst();
            if (row && isBroken) rethrowDatabaseError(new Error('connection lost'));
            return result;
          }),
      },
    }),
  });
  await addDonation(server.repository);
  await assert.rejects(issueReceipts(server), /connection lost/);
  assert.deepEqual(await describeReceipts(server), []);
  isBroken = false;
  await issueReceipts(server);
  assert.deepEqual(await describeReceipts(server), ['WEB-2026-000001 issued 5000']);
});

function createIssuer(server: TestServer, render: ReceiptRenderer['render']): ReceiptIssuer {
  const issuer = new ReceiptIssuer({
    ...server,
    onChange: () => undefined,
    notifier: server.outboundMail.receiptMessages,
    renderer: { render },
  });
  issuer.replaceOrganizations(server.organizations.all);
  return issuer;
}

test('renders again if the donation is refunded while its receipt is being rendered', async () => {
  await using server = await startServer(options);
  const reference = await addDonation(server.repository);
  let isFirst = true;
  const receipts = createIssuer(server, async (document) => {
    if (isFirst)
      await addEvent(server.repository, reference, 'refund', { at: NOON, amount: 2_000 });
    isFirst = false;
    return renderReceiptHtml(document);
  });
  await issueReceipts({ database: server.database, receipts });
  assert.deepEqual(await describeReceipts(server), ['WEB-2026-000001 issued 3000']);
  const receipt = (await listReceipts(server)).find(({ status }) => status === 'issued')!;
  assert.match(await readReceipt(server, receipt), /\$30/);
});

test('gives no number if rendering fails, and tries again', async () => {
  await using server = await startServer(options);
  await addDonation(server.repository);
  let isBroken = true;
  const receipts = createIssuer(server, (document) =>
    isBroken ? Promise.reject(new Error('no fonts')) : renderReceiptHtml(document),
  );
  await issueReceipts({ database: server.database, receipts });
  const [failed] = await listReceipts(server);
  assert.deepEqual(
    [failed!.status, failed!.number, failed!.attempts, failed!.lastError],
    ['due', null, 1, 'Error: no fonts'],
  );
  isBroken = false;
  await server.database.db.updateTable('receipts').set({ nextRunAt: 0 }).execute();
  await issueReceipts({ database: server.database, receipts });
  assert.deepEqual(await describeReceipts(server), ['WEB-2026-000001 issued 5000']);
});

test('reports since when a receipt is due, and alerts after an hour', async () => {
  const clock = { time: NOON };
  await using server = await startServer({
    ...options,
    adminKey: ADMIN_KEY,
    hasBackgroundJobs: false,
    now: () => clock.time,
  });
  const reference = await addDonation(server.repository, { outcome: 'promised' });
  const readGauge = async (name: string): Promise<number> => {
    const metrics = await (await callAdmin(server, '/metrics')).text();
    return Number(new RegExp(`donation_form_receipts_${name}\\{.*\\} (\\S+)`).exec(metrics)![1]);
  };
  await issueReceipts(server);
  assert.equal(await readGauge('due'), 0);
  clock.time += 30 * 86_400_000;
  await server.repository.reviewDecisions.applyAndSaveDecision({
    reference,
    decision: 'succeeded',
    by: 'Maria',
    note: '',
  });
  assert.deepEqual([await readGauge('due'), await readGauge('due_oldest_seconds')], [2, 0]);
  clock.time += 3_601_000;
  const age = await readGauge('due_oldest_seconds');
  assert.equal(age, 3_601);
  const metrics = Object.assign(new MetricReader(new Registry()), {
    list: (name: string) =>
      name === 'donation_form_receipts_due_oldest_seconds'
        ? [{ labels: { organization: 'lanternwell' }, value: age }]
        : [],
  });
  const rule = ALERT_RULES.find(({ cause }) => cause === 'DonationFormReceiptsDelayed')!;
  assert.deepEqual(
    rule.find(metrics).map(({ summary }) => summary),
    ['A receipt for a donor of lanternwell has been due for 60 minutes.'],
  );
});

test('issues a corrected receipt, and keeps the corrected name after a partial refund', async () => {
  await using server = await startServer(options);
  const reference = await addDonation(server.repository);
  await issueReceipts(server);
  const donor = { name: 'Anna Silva', addressLines: ['2 Harbor Road'] };
  await requestCorrection(server.database, { reference, donor, by: 'Maria', note: 'typo' });
  await issueReceipts(server);
  await addEvent(server.repository, reference, 'refund', { at: NOON, amount: 2_000 });
  await issueReceipts(server);
  assert.deepEqual(await describeReceipts(server), [
    'WEB-2026-000001 void by Corrected by Maria: typo 5000',
    'WEB-2026-000002 void by refund 5000',
    'WEB-2026-000003 issued 3000',
  ]);
  const latest = (await listReceipts(server)).find(({ status }) => status === 'issued')!;
  assert.deepEqual(latest.payload!.donor, donor);
  assert.match(await readReceipt(server, latest), /Anna Silva[^]*2 Harbor Road/);
});

test('accepts one of several corrections of a void receipt at once', async () => {
  await using server = await startServer(options);
  const reference = await addDonation(server.repository);
  await issueReceipts(server);
  await voidReceipt(
    server.database,
    { reference, by: 'Maria', reason: 'typo' },
    server.outboundMail.receiptMessages,
  );
  const donor = { name: 'Anna Silva', addressLines: [] };
  const results = await Promise.allSettled(
    Array.from({ length: 5 }, () =>
      requestCorrection(server.database, { reference, donor, by: 'Maria', note: '' }),
    ),
  );
  assert.deepEqual(
    results.map((result) => result.status === 'rejected' && (result.reason as Error).name).sort(),
    [false, ...Array.from({ length: 4 }, () => 'ReceiptChangeError')].sort(),
  );
  await issueReceipts(server);
  assert.equal((await listReceipts(server)).filter(({ status }) => status === 'issued').length, 1);
});

test('issues the receipt of a renewal that reconciliation finds later', async () => {
  await using server = await startServer(options);
  const reference = await addDonation(server.repository, { frequency: 'monthly' });
  await issueReceipts(server);
  const donation = (await server.repository.findByReference(reference))!;
  const renewal = {
    id: 'renewal',
    paymentId: 'pi_late',
    payload: { at: NOON - 40 * DAY, amount: 5_000 },
  };
  await server.repository.outbox.insertRenewal(donation, renewal, true);
  await issueReceipts(server);
  assert.deepEqual(await describeReceipts(server), [
    'WEB-2026-000001 issued 5000',
    'WEB-2026-000002 issued 5000',
  ]);
});

test('says what a UK charity can reclaim only if a declaration covers the donation', async () => {
  const receipts = {
    ...neutralReceipts,
    template: 'uk',
    reviewedBy: 'Maria Example',
    issuer: { ...neutralReceipts.issuer, taxId: '1234567' },
    keepYears: 7,
  } as const;
  await using server = await startServer({ ...options, receipts });
  const declaration = { scope: 'single', text: 'I am a UK taxpayer.' } as const;
  const giftAid = { ...declaration, house: '1', postcode: 'S1 2BD' };
  await addDonation(server.repository, { currency: 'GBP', giftAid });
  await addDonation(server.repository, { currency: 'GBP' });
  await issueReceipts(server);
  const documents = await Promise.all(
    (await listReceipts(server)).map((receipt) => readReceipt(server, receipt)),
  );
  const [covered, other] = documents.toSorted((one) => (one.includes('No declaration') ? 1 : -1));
  assert.match(covered!, /Registered charity number[^]*1234567[^]*reclaim £12\.50 of tax/);
  assert.match(other!, /No declaration[^]*claims no tax on it/);
  assert.doesNotMatch(other!, /12\.50/);
});

test('attaches a PDF if the organization wants one, and HTML if a font is missing', async () => {
  await using server = await startServer({
    ...options,
    receipts: { ...neutralReceipts, pdf: true },
  });
  for (const firstName of ['Ana', '\u{F0000}']) {
    await addDonation(server.repository, { donor: { firstName, lastName: 'Silva' } });
    await issueReceipts(server);
  }
  const files = await server.database.db.selectFrom('receiptFiles').selectAll().execute();
  assert.deepEqual(files.map(({ mediaType }) => mediaType).toSorted(), [
    'application/pdf',
    'text/html',
  ]);
  const pdf = files.find(({ mediaType }) => mediaType === 'application/pdf')!;
  assert.equal(Buffer.from(pdf.content).subarray(0, 5).toString(), '%PDF-');
});
