import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatReceiptNumber } from '../../../src/server/receipts/receipt-number.ts';
import { ADMIN_KEY, callAdmin } from '../admin/support.ts';
import { startSmtpServer } from '../alerts/support.ts';
import { createTestMail, listMailMessages } from '../mail/support.ts';
import { addDonation, addEvent, addRenewal } from '../reporting/add-donation.ts';
import { startServer, type TestServer } from '../support.ts';
import { issueReceipts, listReceipts, neutralReceipts } from './support.ts';

const NOON = Date.UTC(2026, 10, 30, 12);

async function startServerWithReceipts() {
  let onMessage = async (): Promise<void> => undefined;
  const smtp = await startSmtpServer({}, async () => {
    const callback = onMessage;
    onMessage = async () => undefined;
    await callback();
    return undefined;
  });
  const clock = { time: NOON };
  const server = await startServer({
    adminKey: ADMIN_KEY,
    hasBackgroundJobs: false,
    receipts: neutralReceipts,
    mail: createTestMail(smtp.port),
    now: () => clock.time,
  });
  return {
    smtp,
    server,
    clock,
    /** Runs while the server sends its next message. */
    runDuringMessage: (callback: () => Promise<void>) => {
      onMessage = callback;
    },
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await smtp[Symbol.asyncDispose]();
    },
  };
}

const sendMail = ({ outboundMail }: TestServer): Promise<void> =>
  outboundMail.sendDueMessages(AbortSignal.timeout(60_000));

test('attaches the receipt of a donation and of a renewal to the thank-you message', async () => {
  await using fixture = await startServerWithReceipts();
  const { server, smtp } = fixture;
  const reference = await addDonation(server.repository, { frequency: 'monthly' });
  await addRenewal(server.repository, reference, { at: NOON, amount: 6_000 });
  await server.handler.runJobs();
  await server.handler.runJobs();
  assert.equal(smtp.received.length, 2);
  for (const [index, message] of smtp.received.toSorted().entries()) {
    assert.match(message, /Your receipt is attached\./);
    assert.match(message, /Receipt: WEB-2026-00000[12]/);
    assert.match(message, /filename="?receipt-WEB-2026-00000[12]\.html/, String(index));
  }
});

test('lets a thank-you message wait for its receipt, and sends the receipt once', async () => {
  await using fixture = await startServerWithReceipts();
  const { server, smtp, clock } = fixture;
  await addDonation(server.repository);
  await sendMail(server);
  assert.deepEqual(
    (await listMailMessages(server)).map(({ status, attempts }) => [status, attempts]),
    [['pending', 0]],
  );
  clock.time += 5_000;
  await issueReceipts(server);
  await sendMail(server);
  await issueReceipts(server);
  await sendMail(server);
  assert.equal(smtp.received.length, 1);
  assert.match(smtp.received[0]!, /receipt-WEB-2026-000001\.html/);
});

test('thanks after an hour without a receipt that cannot be issued, and sends the receipt later', async () => {
  await using fixture = await startServerWithReceipts();
  const { server, smtp, clock } = fixture;
  await addDonation(server.repository);
  const later = NOON + 50 * 60_000;
  await server.database.db.updateTable('receipts').set({ nextRunAt: later }).execute();
  await sendMail(server);
  assert.deepEqual(
    (await listMailMessages(server)).map(({ nextRunAt }) => nextRunAt),
    [later],
  );
  clock.time = NOON + 3_600_000;
  await sendMail(server);
  assert.equal(smtp.received.length, 1);
  assert.doesNotMatch(smtp.received[0]!, /Your receipt is attached|\.html/);
  await issueReceipts(server);
  clock.time += 1_000;
  await sendMail(server);
  assert.match(smtp.received[1]!, /receipt-WEB-2026-000001\.html/);
});

test('says nothing of a void receipt that the donor never got', async () => {
  await using fixture = await startServerWithReceipts();
  const { server, smtp, clock } = fixture;
  const reference = await addDonation(server.repository);
  await issueReceipts(server);
  await addEvent(server.repository, reference, 'dispute_opened', { at: NOON, amount: 5_000 });
  await issueReceipts(server);
  clock.time += 1_000;
  await sendMail(server);
  assert.equal(smtp.received.length, 1);
  assert.doesNotMatch(smtp.received[0]!, /no longer valid|\.html/);
});

/** `thank_you`: the receipt is attached to the thanks. `receipt`: it follows later. */
for (const [title, first, refunds, expected] of [
  ['a refund', 'thank_you', ['refund 5000'], ['receipt', 'no longer valid']],
  ['a partial refund', 'thank_you', ['refund 1000'], ['receipt', 'receipt']],
  ['a dispute', 'receipt', ['dispute_opened 5000'], ['', 'receipt', 'no longer valid']],
  ['its issue', 'late', [], ['', 'receipt']],
] as const)
  test(`tells the donor of ${title} that happens while a message about the receipt is being sent`, async () => {
    await using fixture = await startServerWithReceipts();
    const { server, smtp, clock, runDuringMessage } = fixture;
    const reference = await addDonation(server.repository);
    const { db } = server.database;
    if (first === 'thank_you') await issueReceipts(server);
    else {
      clock.time += 3_600_000;
      await db
        .updateTable('receipts')
        .set({ nextRunAt: clock.time + 1_000 })
        .execute();
      if (first === 'receipt') await sendMail(server);
      clock.time += 2_000;
      if (first === 'receipt') await issueReceipts(server);
    }
    runDuringMessage(async () => {
      for (const refund of refunds) {
        const [kind, amount] = refund.split(' ') as ['refund' | 'dispute_opened', string];
        await addEvent(server.repository, reference, kind, { at: NOON, amount: Number(amount) });
      }
      await issueReceipts(server);
    });
    await sendMail(server);
    await sendMail(server);
    assert.deepEqual(
      smtp.received.map(
        (message) => /no longer valid(?!, so|\. The)|receipt(?=-WEB-)/.exec(message)?.[0] ?? '',
      ),
      expected,
    );
  });

test('sends a receipt that is issued later, a replacement, and a notice of a void receipt, each once', async () => {
  await using fixture = await startServerWithReceipts();
  const { server, smtp, clock } = fixture;
  const { repository } = server;
  const reference = await addDonation(repository, { outcome: 'settling' });
  await server.handler.runJobs();
  assert.equal(smtp.received.length, 1);
  assert.doesNotMatch(smtp.received[0]!, /receipt/i);
  const settling = (await repository.findByReference(reference))!;
  const changes = [
    () => repository.applyTrigger(settling, { type: 'succeeded' }),
    () => addEvent(repository, reference, 'refund', { at: NOON, amount: 1_000 }),
    () => addEvent(repository, reference, 'dispute_opened', { at: NOON, amount: 4_000 }),
  ];
  for (const change of changes) {
    clock.time += 1_000;
    await change();
    clock.time += 1_000;
    await issueReceipts(server);
    await sendMail(server);
    await issueReceipts(server);
    await sendMail(server);
  }
  const [, settled, replacement, voided, ...more] = smtp.received;
  assert.deepEqual(more, []);
  assert.match(settled!, /Subject: Your receipt from /);
  assert.match(settled!, /receipt-WEB-2026-000001\.html/);
  assert.match(replacement!, /your receipt WEB-2026-000001 is no longer valid/);
  assert.match(replacement!, /receipt-WEB-2026-000002\.html/);
  assert.match(voided!, /Your receipt WEB-2026-000002 is no longer valid/);
  assert.doesNotMatch(voided!, /\.html/);

  clock.time += 120_000;
  const resent = await callAdmin(server, `/api/donations/${reference}/resend`, {});
  assert.equal(resent.status, 200, await resent.text());
  await server.handler.runJobs();
  assert.deepEqual(
    (await listMailMessages(server)).map(({ kind, status }) => `${kind} ${status}`).sort(),
    ['receipt canceled', 'receipt canceled', 'receipt_void sent', 'thank_you sent'],
  );
});

test('tells the donor once if the staff make a receipt void, unless the donor was deleted', async () => {
  await using fixture = await startServerWithReceipts();
  const { server, smtp } = fixture;
  const references = [
    await addDonation(server.repository),
    await addDonation(server.repository, { donor: { email: 'miriam@example.org' } }),
  ];
  await server.handler.runJobs();
  await server.handler.runJobs();
  const receipts = await listReceipts(server);
  await server.database.db
    .updateTable('donations')
    .set({ donorDeletedAt: NOON, donorKey: null })
    .where('reference', '=', references[1]!)
    .execute();
  smtp.received.length = 0;
  for (const reference of references) {
    const input = { by: 'Maria', reason: 'Entered by mistake' };
    const response = await callAdmin(server, `/api/receipts/${reference}/void`, input);
    assert.equal(response.status, 200, await response.text());
  }
  await server.handler.runJobs();
  const voided = receipts.find(({ reference }) => reference === references[0])!;
  const [message, ...others] = smtp.received;
  assert.deepEqual(others, []);
  assert.match(
    message!,
    new RegExp(`Your receipt ${formatReceiptNumber(voided)} is no longer valid\\.`),
  );
  assert.doesNotMatch(message!, /refund|Entered by mistake|Maria/);
  const messages = (await listMailMessages(server)).filter(({ kind }) => kind === 'receipt_void');
  assert.deepEqual(
    messages
      .filter(({ status }) => status !== 'canceled')
      .map(({ event, status }) => [event, status]),
    [[voided.id, 'sent']],
  );
});

test('issues a receipt without sending it if the donor gave no email', async () => {
  await using fixture = await startServerWithReceipts();
  const { server, smtp } = fixture;
  await addDonation(server.repository, { donor: { firstName: 'Ana' } });
  await server.handler.runJobs();
  assert.deepEqual(smtp.received, []);
  const [message] = await listMailMessages(server);
  assert.equal(message!.lastError, 'The donor gave no email.');
});
