import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ADMIN_KEY, Browser, callAdmin } from '../admin/support.ts';
import { startSmtpServer } from '../alerts/support.ts';
import { addDonation } from '../reporting/add-donation.ts';
import { startServer, type TestServer } from '../support.ts';
import { createTestMail, getHeader, listMailMessages, sendNow } from './support.ts';

const SECRET = 'b6c5a1f0d9e8472635a4b3c2d1e0f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2';

const report = (
  server: TestServer,
  body: unknown,
  { secret = SECRET, organization = 'lanternwell' } = {},
): Promise<Response> =>
  server.fetch(`/mail-events/${organization}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret}` },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

test('shows a reported bounce to the staff, and sends that email nothing more until they unblock it', async () => {
  await using smtp = await startSmtpServer();
  await using server = await startServer({
    adminKey: ADMIN_KEY,
    hasBackgroundJobs: false,
    mail: createTestMail(smtp.port, { eventSecret: SECRET }),
  });
  const reference = await addDonation(server.repository);
  await sendNow(server);
  const messageId = getHeader(smtp.received[0]!, 'Message-ID')!;
  const bounce = {
    messageId: messageId.slice(1, -1),
    type: 'bounced',
    reason: '550 5.1.1 <ana@example.org>: no such\nuser',
  };
  assert.equal((await report(server, bounce)).status, 204);
  assert.equal((await report(server, { ...bounce, messageId })).status, 204);
  const [message] = await listMailMessages(server);
  assert.deepEqual(
    [message!.status, message!.lastError],
    ['failed', 'It bounced: 550 5.1.1 <…>: no such user'],
  );
  const browser = new Browser(server);
  await browser.signIn();
  const { html } = await browser.request(`/donations/${reference}`);
  assert.match(html, /message to the donor was not sent: It bounced: 550 5\.1\.1/);

  await addDonation(server.repository);
  await sendNow(server);
  assert.equal(smtp.received.length, 1);
  assert.equal(
    (await listMailMessages(server)).at(-1)!.lastError,
    'An earlier message to this email bounced.',
  );
  const unblock = { email: 'ana@example.org', by: 'Maria' };
  assert.equal((await callAdmin(server, '/api/mail/unblock', unblock)).status, 200);
  await addDonation(server.repository);
  await sendNow(server);
  assert.equal(smtp.received.length, 2);
});

test('a person who reported a tribute message as spam gets no other, though their email is deleted', async () => {
  await using smtp = await startSmtpServer();
  await using server = await startServer({
    hasBackgroundJobs: false,
    mail: createTestMail(smtp.port, { eventSecret: SECRET }),
  });
  const give = () =>
    addDonation(server.repository, {
      tribute: { kind: 'honor', name: 'Mia', notifyEmail: 'mia@example.org' },
      platformId: 1,
    });
  await give();
  await sendNow(server);
  const tribute = smtp.received.find((message) => getHeader(message, 'To') === 'mia@example.org')!;
  const messageId = getHeader(tribute, 'Message-ID');
  assert.equal((await report(server, { messageId, type: 'complained' })).status, 204);
  await give();
  await sendNow(server);
  assert.equal(smtp.received.length, 3);
  const last = (await listMailMessages(server)).findLast(({ kind }) => kind === 'tribute')!;
  assert.deepEqual(
    [last.status, last.lastError],
    ['canceled', 'This person reported an earlier message as spam.'],
  );
});

test('rejects mail events about unknown messages or in another format', async () => {
  await using smtp = await startSmtpServer();
  await using server = await startServer({
    hasBackgroundJobs: false,
    mail: createTestMail(smtp.port, { eventSecret: SECRET }),
  });
  await addDonation(server.repository);
  await sendNow(server);
  const event = { messageId: getHeader(smtp.received[0]!, 'Message-ID'), type: 'bounced' };
  const readCode = async (response: Promise<Response>): Promise<unknown> =>
    ((await (await response).json()) as { readonly code: unknown }).code;
  for (const [code, response] of [
    ['not-found', report(server, { ...event, messageId: '<x@lanternwell.example>' })],
    ['malformed-json', report(server, '{')],
    ['invalid-field', report(server, { ...event, type: 'opened' })],
    ['unknown-field', report(server, { ...event, email: 'ana@example.org' })],
  ] as const)
    assert.equal(await readCode(response), code);
  assert.deepEqual(
    (await listMailMessages(server)).map(({ status }) => status),
    ['sent'],
  );
});

test('rejects a wrong secret, an unknown organization, and one without a secret with the same answer', async () => {
  const start = (eventSecret?: string) =>
    startServer({ hasBackgroundJobs: false, mail: createTestMail(1, { eventSecret }) });
  await using server = await start(SECRET);
  await using withoutSecret = await start();
  const answers = await Promise.all(
    [
      report(server, {}, { secret: '' }),
      report(server, {}, { secret: `${SECRET}0` }),
      report(server, {}, { secret: 'undefined' }),
      report(server, {}, { organization: 'other' }),
      report(withoutSecret, {}, { secret: 'undefined' }),
      server.fetch('/mail-events/lanternwell', { method: 'POST', body: '{' }),
    ].map(async (answer) => {
      const { status, headers } = await answer;
      const body = (await (await answer).json()) as object;
      const authenticate = headers.get('WWW-Authenticate');
      return { status, authenticate, body: { ...body, requestId: '' } };
    }),
  );
  assert.deepEqual([answers[0]!.status, answers[0]!.authenticate], [401, 'Bearer']);
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
});
