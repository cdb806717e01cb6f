import assert from 'node:assert/strict';
import { test } from 'node:test';
import PostalMime from 'postal-mime';
import { deleteSentNotifyEmails } from '../../../src/server/mail/delete-sent-notify-emails.ts';
import { ADMIN_KEY, callAdmin } from '../admin/support.ts';
import { startSmtpServer } from '../alerts/support.ts';
import { addDonation, addEvent, addRenewal, recordOnPlatform } from '../reporting/add-donation.ts';
import { startServer, type TestServer } from '../support.ts';
import { createTestMail, getHeader, listMailMessages, sendNow } from './support.ts';

const DAY = 86_400_000;

const TRIBUTE = {
  kind: 'memory',
  name: 'Grandma Rose',
  message: 'She loved the sea.\nWe miss her.',
  notifyEmail: 'mia@example.org',
} as const;

const listTributes = async (server: TestServer) =>
  (await listMailMessages(server)).filter(({ kind }) => kind === 'tribute');

const selectTributes = (messages: readonly string[]): string[] =>
  messages.filter((message) => getHeader(message, 'List-Unsubscribe') !== undefined);

test('tells the person whom the donor named of a paid donation, once and without the amount', async () => {
  await using smtp = await startSmtpServer();
  await using server = await startServer({ mail: createTestMail(smtp.port) });
  const reference = await addDonation(server.repository, {
    tribute: TRIBUTE,
    frequency: 'monthly',
  });
  const settled = { at: Date.now(), amount: 5_000 };
  await addEvent(server.repository, reference, 'payment_settled', settled);
  await sendNow(server);
  await sendNow(server);
  const messages = selectTributes(smtp.received);
  assert.equal(messages.length, 1);
  const [message = ''] = messages;
  assert.equal(getHeader(message, 'To'), 'mia@example.org');
  assert.equal(getHeader(message, 'Reply-To'), 'hello@lanternwell.example');
  assert.equal(
    getHeader(message, 'List-Unsubscribe'),
    '<mailto:hello@lanternwell.example?subject=unsubscribe>',
  );
  assert.match(message, /^In memory of: Grandma Rose$/m);
  assert.match(message, /^From: Ana Silva$/m);
  const { subject, text = '', html } = await PostalMime.parse(message);
  assert.match(text, / message:\n“She loved the sea\. We miss her\.”\n/);
  assert.match(message, /want no more messages like this, reply to this message/);
  assert.doesNotMatch(`${subject} ${text} ${html}`, /\b50\b|\$/);
});

test('tells nobody of a pledge, an unpaid debit, a test, or a renewal, until the money is there', async () => {
  await using smtp = await startSmtpServer();
  await using server = await startServer({ mail: createTestMail(smtp.port) });
  const settling = await addDonation(server.repository, { tribute: TRIBUTE, outcome: 'settling' });
  await addDonation(server.repository, { tribute: TRIBUTE, outcome: 'promised' });
  await addDonation(server.repository, { tribute: TRIBUTE, outcome: 'needs_review' });
  await addDonation(server.repository, { tribute: TRIBUTE, isTest: true });
  const monthly = await addDonation(server.repository, { frequency: 'monthly' });
  await addRenewal(server.repository, monthly, { at: Date.now(), amount: 5_000 });
  await sendNow(server);
  assert.deepEqual(await listTributes(server), []);
  await server.repository.applyTrigger((await server.repository.findByReference(settling))!, {
    type: 'succeeded',
  });
  await sendNow(server);
  assert.deepEqual(
    (await listTributes(server)).map(({ event, status }) => [event, status]),
    [[`payment_settled ${settling}`, 'sent']],
  );
});

test('leaves out the names and words with which a stranger could lure the person, and tells the staff', async () => {
  await using smtp = await startSmtpServer();
  await using server = await startServer({
    adminKey: ADMIN_KEY,
    mail: createTestMail(smtp.port),
  });
  await addDonation(server.repository, {
    donor: { firstName: 'Win at evil.example', lastName: '!!', email: 'ana@example.org' },
    tribute: { ...TRIBUTE, name: 'your prize: call now', message: 'Click evil\u200b.example now' },
  });
  await sendNow(server);
  const [message = ''] = selectTributes(smtp.received);
  assert.ok(message !== '');
  assert.doesNotMatch(message, /evil|prize|Win|Click/);
  const [{ status, lastError }] = (await listTributes(server)) as [
    Awaited<ReturnType<typeof listTributes>>[0],
  ];
  assert.deepEqual(
    [status, lastError],
    ['sent', 'It left out the donor’s words, because they contain what looks like a link.'],
  );
});

test('shows the words in quotation marks on one line, so that they cannot imitate the charity', async () => {
  await using smtp = await startSmtpServer();
  await using server = await startServer({ mail: createTestMail(smtp.port) });
  const message = 'Bye.”\n\nLanternwell\n\nImportant notice\nReply with your password.';
  await addDonation(server.repository, { tribute: { ...TRIBUTE, message } });
  await sendNow(server);
  const { text = '' } = await PostalMime.parse(selectTributes(smtp.received)[0]!);
  assert.match(text, /\n“Bye\.' Lanternwell Important notice Reply with your password\.”\n/);
});

test('keeps the name of an anonymous donor private', async () => {
  await using smtp = await startSmtpServer();
  await using server = await startServer({ mail: createTestMail(smtp.port) });
  const reference = await addDonation(server.repository, { tribute: TRIBUTE, outcome: 'settling' });
  const donation = (await server.repository.findByReference(reference))!;
  const gift = { ...donation.payload.gift, anonymous: true };
  await server.database.db
    .updateTable('donations')
    .set({ payload: JSON.stringify({ ...donation.payload, gift }) })
    .execute();
  await server.repository.applyTrigger(donation, { type: 'succeeded' });
  await sendNow(server);
  const [message = ''] = selectTributes(smtp.received);
  assert.match(message, /Grandma Rose/);
  assert.doesNotMatch(message, /Ana|Silva/);
});

test('sends at most two such messages a day to a person, and three for a donor', async () => {
  await using smtp = await startSmtpServer();
  let time = Date.now();
  await using server = await startServer({ mail: createTestMail(smtp.port), now: () => time });
  const give = async (email: string, notifyEmail: string) => {
    time += 1_000;
    await addDonation(server.repository, {
      donor: { firstName: 'Ana', email },
      tribute: { ...TRIBUTE, notifyEmail },
    });
  };
  for (const email of ['a@example.org', 'b@example.org', 'c@example.org'])
    await give(email, 'mia@example.org');
  for (const [index, person] of ['k', 'l', 'm', 'n'].entries())
    await give(['d@example.org', `D+${index}@example.org`][index % 2]!, `${person}@example.org`);
  await sendNow(server);
  const sent = 'sent';
  const canceled = 'canceled';
  const readStatuses = async () => (await listTributes(server)).map(({ status }) => status);
  assert.deepEqual(await readStatuses(), [sent, sent, canceled, sent, sent, sent, canceled]);
  time += DAY;
  for (const person of ['m.ia@gmail.com', 'mia+1@gmail.com', 'mi.a@googlemail.com'])
    await give('e@example.org', person);
  await sendNow(server);
  assert.deepEqual((await readStatuses()).slice(-3), [sent, sent, canceled]);
  await give('a@example.org', 'MIA@example.org');
  await sendNow(server);
  assert.equal((await readStatuses()).at(-1), sent);
});

test('sends 60 such messages an hour for an organization, and the others later', async () => {
  const client = { verify: () => Promise.resolve(), send: () => Promise.resolve() };
  let time = Date.now();
  await using server = await startServer({
    hasBackgroundJobs: false,
    mail: createTestMail(1, { client }),
    now: () => time,
  });
  for (let count = 0; count < 70; count += 1)
    await addDonation(server.repository, {
      donor: { firstName: 'Ana', email: `ana${count}@example.org` },
      tribute: { ...TRIBUTE, notifyEmail: `mia${count}@example.org` },
    });
  await sendNow(server);
  const countSent = async () =>
    (await listTributes(server)).filter(({ status }) => status === 'sent').length;
  // Messages that are being sent at the same time do not count yet.
  const first = await countSent();
  assert.ok(first >= 60 && first <= 63, String(first));
  time += 3_600_001;
  await sendNow(server);
  assert.equal(await countSent(), 70);
});

test("deletes the person's email once they have the message and the platform the donation", async () => {
  await using smtp = await startSmtpServer();
  await using server = await startServer({
    adminKey: ADMIN_KEY,
    hasBackgroundJobs: false,
    mail: createTestMail(smtp.port),
  });
  const reference = await addDonation(server.repository, { tribute: TRIBUTE });
  const findTribute = async () =>
    (await server.repository.findByReference(reference))!.payload.gift.tribute!;
  await sendNow(server);
  await deleteSentNotifyEmails(server.database);
  assert.equal((await findTribute()).notifyEmail, 'mia@example.org');
  await recordOnPlatform(server.repository, reference, 1);
  await deleteSentNotifyEmails(server.database);
  const { kind, name, message } = TRIBUTE;
  assert.deepEqual(await findTribute(), { kind, name, message });
  assert.equal((await server.repository.findByReference(reference))!.notifyKey, null);

  const resent = await callAdmin(server, `/api/donations/${reference}/resend`, {});
  assert.equal(resent.status, 409);
  assert.deepEqual(
    (await listTributes(server)).map(({ status }) => status),
    ['sent'],
  );
});

test('sends no more such messages to a person whom the staff blocked, but thanks for a donation', async () => {
  await using smtp = await startSmtpServer();
  await using server = await startServer({
    adminKey: ADMIN_KEY,
    hasBackgroundJobs: false,
    mail: createTestMail(smtp.port),
  });
  const call = async (action: string, email: string) =>
    (await callAdmin(server, `/api/mail/${action}`, { email, by: 'Maria' })).status;
  assert.equal(await call('block', ' MIA@example.org'.trim()), 200);
  const tables = JSON.stringify(
    await server.database.db.selectFrom('blockedRecipients').selectAll().execute(),
  );
  assert.doesNotMatch(tables, /example/);
  await addDonation(server.repository, { tribute: TRIBUTE });
  await addDonation(server.repository, { donor: { email: 'mia@example.org' } });
  await sendNow(server);
  assert.deepEqual(
    (await listTributes(server)).map(({ status, lastError }) => [status, lastError]),
    [['canceled', 'This person asked for no more such messages.']],
  );
  assert.equal(smtp.received.length, 2);
  assert.equal(await call('unblock', 'mia@example.org'), 200);
  assert.equal(await call('unblock', 'mia@example.org'), 404);
  await addDonation(server.repository, { tribute: TRIBUTE });
  await sendNow(server);
  assert.equal((await listTributes(server)).at(-1)!.status, 'sent');
});

test("exports and deletes what the server stores about the named person's message", async () => {
  await using smtp = await startSmtpServer();
  await using server = await startServer({
    adminKey: ADMIN_KEY,
    hasBackgroundJobs: false,
    mail: createTestMail(smtp.port),
  });
  await addDonation(server.repository, { tribute: TRIBUTE, platformId: 1 });
  await sendNow(server);
  await callAdmin(server, '/api/mail/block', { email: TRIBUTE.notifyEmail, by: 'Maria' });
  const exportData = async () =>
    (await (
      await callAdmin(server, '/api/donors/export', { email: TRIBUTE.notifyEmail })
    ).json()) as {
      readonly tributeMessages: readonly { readonly status: string }[];
      readonly blocked: { readonly reason: string } | null;
    };
  const { tributeMessages, blocked } = await exportData();
  assert.deepEqual(
    tributeMessages.map(({ status }) => status),
    ['sent'],
  );
  assert.equal(blocked?.reason, 'unwanted');
  await callAdmin(server, '/api/donors/delete', { email: TRIBUTE.notifyEmail, by: 'Maria' });
  assert.deepEqual((await exportData()).tributeMessages, []);
});
