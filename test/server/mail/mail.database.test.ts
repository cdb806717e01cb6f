import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { rethrowDatabaseError } from '../../../src/server/database/database-error.ts';
import type { MailKind } from '../../../src/server/database/schema.ts';
import { createSmtpClient } from '../../../src/server/lib/smtp-client.ts';
import { MailSender } from '../../../src/server/mail/mail-sender.ts';
import { waitUntil } from '../../wait-until.ts';
import { ADMIN_KEY, Browser, callAdmin } from '../admin/support.ts';
import { startSmtpServer } from '../alerts/support.ts';
import { formWithPayments } from '../payments/support.ts';
import { addDonation, addRenewal } from '../reporting/add-donation.ts';
import { startServer } from '../support.ts';
import { createTestMail, getHeader, listMailMessages, sendNow } from './support.ts';

const DAY = 86_400_000;

test('thanks the donor of a charged donation, a pledge, and a recent renewal once', async () => {
  await using smtp = await startSmtpServer();
  await using server = await startServer({
    form: formWithPayments,
    mail: createTestMail(smtp.port, { thankYou: 'You bring light.', signature: 'Your\nLanterns' }),
  });
  const charged = await server.makeDonation();
  const pledge = await server.makeDonation({ payment: { provider: 'offline' } });
  const monthly = await addDonation(server.repository, { frequency: 'monthly' });
  await addRenewal(server.repository, monthly, { at: Date.now(), amount: 7_000 });
  await addRenewal(server.repository, monthly, { at: Date.now() - 4 * DAY, amount: 8_000 });
  const { outboundMail } = server;
  await outboundMail.sendDueMessages(AbortSignal.timeout(60_000));
  await outboundMail.sendDueMessages(AbortSignal.timeout(60_000));

  assert.equal(smtp.received.length, 4);
  for (const message of smtp.received) {
    assert.match(getHeader(message, 'To')!, /^(canary|ana)@example\.org$/);
    assert.equal(getHeader(message, 'From'), 'Lanternwell <giving@lanternwell.example>');
    assert.equal(getHeader(message, 'Reply-To'), 'hello@lanternwell.example');
    assert.equal(getHeader(message, 'Auto-Submitted'), 'auto-generated');
    assert.match(getHeader(message, 'Subject')!, /^Thank you for your donation to /);
    assert.match(message, /You bring light\.\n/);
    assert.match(message, /\n\nYour\nLanterns\n/);
  }
  assert.equal(new Set(smtp.received.map((message) => getHeader(message, 'Message-ID'))).size, 4);
  const find = (text: string | RegExp): string =>
    smtp.received.find((message) => message.search(text) >= 0) ?? '';
  assert.match(find(charged.reference), /^Thank you!\n\n\$51\.81\n\n\$50 donation \+ \$1\.81 /m);
  assert.match(
    find(pledge.reference),
    /One last step: send your donation\nSend \$50 to account 1 /,
  );
  assert.match(find(`${monthly}\n`), /^\$50 a month\n/m);
  assert.match(find('\\$70'), /^\$70 a month\n/m);
  const messages = await listMailMessages(server);
  assert.deepEqual(
    messages.map(({ status, lastError }) => [status, lastError]),
    Array.from({ length: 4 }, () => ['sent', null]),
  );
});

test('sends no mail without a configuration', async () => {
  await using server = await startServer();
  await server.makeDonation();
  assert.deepEqual(await listMailMessages(server), []);
});

test('retries after a temporary refusal, with the same ID, and stops after a permanent one', async () => {
  const responses = [450, 550, undefined];
  await using smtp = await startSmtpServer({}, () => {
    const responseCode = responses.shift();
    return responseCode === undefined
      ? undefined
      : Object.assign(
          new Error(`${String(responseCode)[0]}.2.2 mailbox of ana@example.org is full`),
          {
            responseCode,
          },
        );
  });
  await using server = await startServer({
    adminKey: ADMIN_KEY,
    mail: createTestMail(smtp.port),
  });
  const reference = await addDonation(server.repository);
  const sendNow = async () => {
    await server.database.db.updateTable('mailMessages').set({ nextRunAt: 0 }).execute();
    await server.outboundMail.sendDueMessages(AbortSignal.timeout(60_000));
    const [{ status, attempts, lastError }] = (await listMailMessages(server)) as [
      Awaited<ReturnType<typeof listMailMessages>>[0],
    ];
    return { status, attempts, lastError };
  };
  const lastError = (code: number): string => `${code} ${String(code)[0]}.2.2 mailbox of … is full`;
  assert.deepEqual(await sendNow(), { status: 'pending', attempts: 1, lastError: lastError(450) });
  assert.deepEqual(await sendNow(), { status: 'failed', attempts: 2, lastError: lastError(550) });
  assert.deepEqual(await sendNow(), { status: 'failed', attempts: 2, lastError: lastError(550) });
  assert.ok(!server.logLines.join('').includes('ana@example.org'), server.logLines.join(''));

  const page = await callAdmin(server, `/api/donations/${reference}/resend`, {});
  assert.deepEqual([page.status, await page.json()], [200, { resent: 1 }]);
  await waitUntil(async () => (await sendNow()).status === 'sent');
  assert.equal(smtp.received.length, 1);
});

test('keeps messages while the SMTP server is unreachable or rejects the password', async () => {
  await using smtp = await startSmtpServer();
  const closed = { host: '127.0.0.1', port: 1 };
  const wrong = { host: '127.0.0.1', port: smtp.port, user: 'alerts', password: 'wrong' };
  for (const [settings, expected] of [
    [closed, /ECONNREFUSED/],
    [wrong, /535/],
  ] as const) {
    await using server = await startServer({
      mail: createTestMail(smtp.port, { client: createSmtpClient(settings) }),
    });
    await addDonation(server.repository);
    await server.outboundMail.sendDueMessages(AbortSignal.timeout(60_000));
    const [message] = await listMailMessages(server);
    assert.deepEqual([message!.status, message!.attempts], ['pending', 0]);
    assert.match(message!.lastError!, expected);
  }
});

test('cancels the message of a donor whose data was deleted, or without an email, and of a failed payment', async () => {
  await using smtp = await startSmtpServer();
  await using server = await startServer({ adminKey: ADMIN_KEY, mail: createTestMail(smtp.port) });
  await addDonation(server.repository, { platformId: 1 });
  const deletion = { email: 'ana@example.org', by: 'Maria' };
  assert.equal((await callAdmin(server, '/api/donors/delete', deletion)).status, 200);
  await addDonation(server.repository, { donor: { firstName: 'Ben' } });
  const settling = await addDonation(server.repository, { outcome: 'settling' });
  await server.repository.applyTrigger((await server.repository.findByReference(settling))!, {
    type: 'failed',
    reason: 'payment-failed',
  });
  await server.outboundMail.sendDueMessages(AbortSignal.timeout(60_000));
  const messages = await listMailMessages(server);
  assert.deepEqual(messages.map(({ status, lastError }) => [status, lastError]).sort(), [
    ['canceled', 'The donor gave no email.'],
    ['canceled', 'The donor’s data was deleted.'],
    ['canceled', 'The payment failed.'],
  ]);
  assert.deepEqual(smtp.received, []);
});

test("signs messages with the organization's DKIM key", async () => {
  await using smtp = await startSmtpServer();
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const client = createSmtpClient({
    host: '127.0.0.1',
    port: smtp.port,
    user: 'alerts',
    password: 'canary-password',
    dkim: { domainName: 'lanternwell.example', keySelector: 'donations', privateKey },
  });
  await using server = await startServer({ mail: createTestMail(smtp.port, { client }) });
  await addDonation(server.repository);
  await server.outboundMail.sendDueMessages(AbortSignal.timeout(60_000));
  assert.match(
    getHeader(smtp.received[0]!, 'DKIM-Signature')!.replace(/\s+/g, ' '),
    /a=rsa-sha256; .* d=lanternwell\.example; .* s=donations; .* h=from:reply-to:subject:/,
  );
});

test('shows on the donation page what became of a message, and sends it again', async () => {
  await using smtp = await startSmtpServer();
  await using server = await startServer({ adminKey: ADMIN_KEY, mail: createTestMail(smtp.port) });
  const reference = await addDonation(server.repository);
  const browser = new Browser(server);
  await browser.signIn();
  const readPage = async (): Promise<string> =>
    (await browser.request(`/donations/${reference}`)).html;
  assert.match(await readPage(), /The thank-you message to the donor is about to be sent\./);
  await server.outboundMail.sendDueMessages(AbortSignal.timeout(60_000));
  const html = await readPage();
  assert.match(html, /The thank-you message to the donor was sent\./);
  const csrf = /name="csrf" value="([^"]+)"/.exec(html)![1]!;
  const resend = () => browser.request(`/donations/${reference}/resend`, { csrf });
  assert.equal((await resend()).status, 303);
  assert.match(await readPage(), /Nothing was changed\. The message [^]* within the last minute\./);
  await server.database.db.updateTable('mailMessages').set({ updatedAt: 0 }).execute();
  await resend();
  assert.match(await readPage(), /The server will try to send the message again\./);
  await waitUntil(() => smtp.received.length === 2);
  const [first, second] = smtp.received as [string, string];
  assert.notEqual(getHeader(first, 'Message-ID'), getHeader(second, 'Message-ID'));

  const unknown = await callAdmin(server, '/api/donations/ZZZZZ-ZZZZZ/resend', {});
  assert.equal(unknown.status, 404);
});

test('sends each message once from two servers, and again after one ended before it saved the result', async () => {
  let isLost = true;
  await using smtp = await startSmtpServer();
  const mail = createTestMail(smtp.port);
  const client = {
    ...mail.client,
    send: async (message: Parameters<typeof mail.client.send>[0]) => {
      await mail.client.send(message);
      if (!isLost) return;
      isLost = false;
      throw Object.assign(new Error('Connection closed unexpectedly'), {
        code: 'ECONNECTION',
        command: 'CONN',
      });
    },
  };
  await using server = await startServer({ mail: { ...mail, client } });
  await addDonation(server.repository);
  const other = new MailSender({ ...server, hasBackgroundJobs: true });
  other.replaceOrganizations(server.organizations.all);
  const stop = AbortSignal.timeout(60_000);
  const makeDue = () =>
    server.database.db.updateTable('mailMessages').set({ nextRunAt: 0 }).execute();
  await server.outboundMail.sendDueMessages(stop);
  await makeDue();
  if (server.database.isShared)
    await Promise.all([server.outboundMail.sendDueMessages(stop), other.sendDueMessages(stop)]);
  else await other.sendDueMessages(stop);
  assert.deepEqual(
    (await listMailMessages(server)).map(({ status, attempts }) => [status, attempts]),
    [['sent', 1]],
  );
  assert.equal(smtp.received.length, 2);
  assert.equal(new Set(smtp.received.map((message) => getHeader(message, 'Message-ID'))).size, 1);
});

test('gives up a message only if the recipient or the content is refused', async () => {
  const reject = (responseCode: number, message: string): Error =>
    Object.assign(new Error(message), { responseCode });
  for (const [stage, responseCode, message, expected] of [
    ['onMailFrom', 530, '5.7.0 Authentication required', ['pending', 0]],
    ['onMailFrom', 553, '5.7.1 Sender address rejected', ['pending', 0]],
    ['onRcptTo', 554, '5.7.1 Relay access denied', ['pending', 1]],
    ['onRcptTo', 550, '5.4.5 Daily sending limit exceeded', ['pending', 1]],
    ['onRcptTo', 450, '4.1.2 Domain not found', ['pending', 1]],
    ['onRcptTo', 550, '5.1.1 No such user', ['failed', 1]],
    ['onRcptTo', 550, 'No such user', ['failed', 1]],
    ['onRcptTo', 421, '4.3.2 Shutting down', ['pending', 0]],
    ['onData', 550, 'Rejected', ['pending', 1]],
    ['onData', 550, '5.6.1 Media type not supported', ['failed', 1]],
    ['onData', 552, '5.3.4 Message too big', ['failed', 1]],
  ] as const) {
    await using smtp = await startSmtpServer({
      [stage]: (input: unknown, _session: unknown, done: (error: Error) => void) => {
        if (input instanceof Readable) input.resume();
        done(reject(responseCode, message));
      },
    });
    await using server = await startServer({ mail: createTestMail(smtp.port) });
    await addDonation(server.repository);
    await addDonation(server.repository);
    await server.outboundMail.sendDueMessages(AbortSignal.timeout(60_000));
    const [first] = await listMailMessages(server);
    assert.deepEqual([first!.status, first!.attempts], expected, message);
    assert.match(first!.lastError!, new RegExp(`^${responseCode} `));
  }
});

test('sends nobody many messages about unpaid donations', async () => {
  await using smtp = await startSmtpServer();
  let time = Date.now();
  await using server = await startServer({ mail: createTestMail(smtp.port), now: () => time });
  const paid = Array.from({ length: 5 }, () => 'succeeded' as const);
  const promised = Array.from({ length: 7 }, () => 'promised' as const);
  for (const outcome of [...paid, ...promised, 'succeeded'] as const) {
    time += 1_000;
    await addDonation(server.repository, { outcome });
  }
  await server.outboundMail.sendDueMessages(AbortSignal.timeout(60_000));
  assert.deepEqual(
    (await listMailMessages(server)).map(({ status }) => status),
    [...Array.from({ length: 10 }, () => 'sent'), 'canceled', 'canceled', 'sent'],
  );
});

test('counts messages about unpaid donations by mailbox, however its email is spelled', async () => {
  await using smtp = await startSmtpServer();
  let time = Date.now();
  await using server = await startServer({
    hasBackgroundJobs: false,
    mail: createTestMail(smtp.port),
    now: () => time,
  });
  const mailboxes = [
    [
      'anasilva@gmail.com',
      'Ana.Silva@gmail.com',
      'ANASILVA@GMAIL.COM',
      'a.n.a.silva+2@gmail.com',
      'anasilva@googlemail.com',
      'ana.silva+x@googlemail.com',
    ],
    [
      'ben@b\u00fccher.example',
      'ben@xn--bcher-kva.example',
      'BEN@B\u00dcCHER.example',
      'Ben+1@b\u00fccher.example',
      'ben+2@xn--bcher-kva.example',
      'ben@XN--BCHER-KVA.example',
    ],
    [
      'b.en@mail.example',
      'ben@mail.example',
      'be.n@mail.example',
      'ben@other.example',
      'b@c.example',
    ],
  ];
  for (const email of mailboxes.flat()) {
    time += 1_000;
    await addDonation(server.repository, {
      outcome: 'promised',
      donor: { firstName: 'Ana', email },
    });
  }
  await server.outboundMail.sendDueMessages(AbortSignal.timeout(60_000));
  const sent = Array.from({ length: 5 }, () => 'sent');
  assert.deepEqual(
    (await listMailMessages(server)).map(({ status }) => status),
    [...sent, 'canceled', ...sent, 'canceled', ...sent],
  );
});

test('sends nothing to addresses that mail servers do not accept or route elsewhere', async () => {
  await using smtp = await startSmtpServer();
  await using server = await startServer({ mail: createTestMail(smtp.port) });
  const emails = [
    'a%evil.example@example.org',
    'evil.example!a@example.org',
    '|cat@example.org',
    'victim+=?utf-8?q?x?=@example.org',
    'a@127.0.0.1',
    'a@-x.example',
    'a@\u24d4xample.org',
    'jos\u00e9@example.org',
    'a@b\u00fccher.example',
    "o'neil+give@mail.example.org",
  ];
  for (const email of emails)
    await addDonation(server.repository, { donor: { firstName: 'Ana', email } });
  await server.outboundMail.sendDueMessages(AbortSignal.timeout(60_000));
  assert.deepEqual(smtp.received.map((message) => getHeader(message, 'To')).sort(), [
    'a@xn--bcher-kva.example',
    "o'neil+give@mail.example.org",
  ]);
});

test('sends nothing more to an email that the SMTP server does not know', async () => {
  let attempts = 0;
  await using smtp = await startSmtpServer({
    onRcptTo: (_address, _session, done) => {
      attempts += 1;
      done(Object.assign(new Error('5.1.1 No such user'), { responseCode: 550 }));
    },
  });
  await using server = await startServer({ mail: createTestMail(smtp.port) });
  for (const status of ['failed', 'canceled']) {
    const reference = await addDonation(server.repository);
    await server.outboundMail.sendDueMessages(AbortSignal.timeout(60_000));
    const message = (await listMailMessages(server)).find(({ event }) => event.includes(reference));
    assert.equal(message!.status, status);
  }
  assert.equal(attempts, 1);
});

test('a message that cannot be built does not hold up the others, and deletion ends one in progress', async () => {
  const events = Promise.withResolvers<undefined>();
  const answer = Promise.withResolvers<undefined>();
  await using smtp = await startSmtpServer({
    onRcptTo: (_address, _session, done) => {
      events.resolve(undefined);
      void answer.promise.then(() =>
        done(Object.assign(new Error('5.1.1 no <ana@example.org>'), { responseCode: 550 })),
      );
    },
  });
  let time = Date.now();
  await using server = await startServer({
    adminKey: ADMIN_KEY,
    mail: createTestMail(smtp.port),
    now: () => time,
  });
  const broken = await addDonation(server.repository, { donor: { email: 'ben@example.org' } });
  await server.database.db
    .updateTable('donations')
    .set({ payload: '{"donor":{"email":"ben@example.org"}}' })
    .where('reference', '=', broken)
    .execute();
  time += 1_000;
  await addDonation(server.repository, { platformId: 1 });
  const sent = server.outboundMail.sendDueMessages(AbortSignal.timeout(60_000));
  await events.promise;
  const deletion = { email: 'ana@example.org', by: 'Maria' };
  assert.equal((await callAdmin(server, '/api/donors/delete', deletion)).status, 200);
  answer.resolve(undefined);
  await sent;
  const messages = await listMailMessages(server);
  assert.deepEqual(
    messages.map(({ status, attempts }) => [status, attempts]),
    [
      ['pending', 1],
      ['canceled', 0],
    ],
  );
  assert.ok(!JSON.stringify(messages).includes('@example.org'));
});

test('pauses for up to five minutes while the server accepts no mail, and gives up after three days', async () => {
  let time = Date.now();
  await using server = await startServer({
    adminKey: ADMIN_KEY,
    mail: createTestMail(1),
    hasBackgroundJobs: false,
    now: () => time,
  });
  for (let count = 0; count < 4; count += 1) await addDonation(server.repository);
  const pauses: number[] = [];
  for (let count = 0; count < 5; count += 1) {
    await server.outboundMail.sendDueMessages(AbortSignal.timeout(60_000));
    const next = Math.max(...(await listMailMessages(server)).map(({ nextRunAt }) => nextRunAt));
    pauses.push((next - time) / 60_000);
    time = next;
  }
  assert.deepEqual(pauses, [1, 2, 4, 5, 5]);
  const { pendingMail } = await server.handler.runJobs();
  assert.equal(pendingMail, 4);
  time += DAY;
  const metrics = await (await callAdmin(server, '/metrics')).text();
  const [, age] = /donation_form_mail_messages_oldest_seconds\{.*\} (\S+)/.exec(metrics)!;
  assert.ok(Number(age) > 86_400, age);

  time += 3 * DAY;
  await server.outboundMail.sendDueMessages(AbortSignal.timeout(60_000));
  for (const { status, lastError } of await listMailMessages(server)) {
    assert.equal(status, 'failed');
    assert.match(lastError!, /ECONNREFUSED/);
  }
});

test('leaves messages of kinds that only a later release knows to its servers', async () => {
  await using smtp = await startSmtpServer();
  await using server = await startServer({
    mail: createTestMail(smtp.port),
    hasBackgroundJobs: false,
  });
  await addDonation(server.repository);
  const kind = 'year_end' as MailKind;
  await server.database.db.updateTable('mailMessages').set({ kind }).execute();
  const before = await listMailMessages(server);
  await sendNow(server);
  assert.deepEqual(await listMailMessages(server), before);
  assert.deepEqual(smtp.received, []);
});

test('sends nothing while the database cannot save the result', async () => {
  await using smtp = await startSmtpServer();
  let isFull = false;
  await using server = await startServer({
    mail: createTestMail(smtp.port),
    hasBackgroundJobs: false,
    changeDatabase: (database) => ({
      ...database,
      writer: {
        ...database.writer,
        write: (callback) =>
          isFull
            ? Promise.reject(new Error('database or disk is full')).catch(rethrowDatabaseError)
            : database.writer.write(callback),
      },
    }),
  });
  await addDonation(server.repository);
  isFull = true;
  await assert.rejects(server.outboundMail.sendDueMessages(AbortSignal.timeout(60_000)));
  await assert.rejects(server.outboundMail.sendDueMessages(AbortSignal.timeout(60_000)));
  assert.equal(smtp.received.length, 0);
});

test('sends nothing while the staff have paused the mail, even after a restart', async () => {
  await using smtp = await startSmtpServer();
  await using server = await startServer({ adminKey: ADMIN_KEY, mail: createTestMail(smtp.port) });
  const browser = new Browser(server);
  await browser.signIn();
  const press = async (name: string) => {
    const { html } = await browser.request('/');
    const csrf = /name="csrf" value="([^"]+)"/.exec(html)![1]!;
    assert.match(html, new RegExp(`action="/mail/${name}"`));
    await browser.request(`/mail/${name}`, { csrf, organization: 'lanternwell' });
    return (await browser.request('/')).html;
  };
  assert.match(await press('pause'), /is sending no mail\.<\/strong>/);
  await addDonation(server.repository);
  const restarted = new MailSender({ ...server, hasBackgroundJobs: false });
  restarted.replaceOrganizations(server.organizations.all);
  await restarted.sendDueMessages(AbortSignal.timeout(60_000));
  await server.outboundMail.sendDueMessages(AbortSignal.timeout(60_000));
  assert.equal(smtp.received.length, 0);
  assert.doesNotMatch(await press('resume'), /is sending no mail/);
  await waitUntil(() => smtp.received.length === 1);
  const again = await callAdmin(server, '/api/mail/resume', { by: 'Maria' });
  assert.match(JSON.stringify(await again.json()), /is not paused, so there is nothing to resume/);
});

test('stops between two messages when the staff pause the mail', async () => {
  let sent = 0;
  const client = {
    verify: () => Promise.resolve(),
    send: async () => {
      sent += 1;
      await server.outboundMail.pauses.pauseOrganization('lanternwell', 'Maria', 'Attack');
    },
  };
  await using server = await startServer({
    hasBackgroundJobs: false,
    mail: createTestMail(25, { client }),
    now: Date.now,
  });
  for (let number = 0; number < 6; number += 1) await addDonation(server.repository);
  await server.outboundMail.sendDueMessages(AbortSignal.timeout(60_000));
  assert.ok(sent > 0 && sent <= 4, `sent ${sent}, of which 4 at once`);
});

test('sends all failed messages of the last days again', async () => {
  let isFull = true;
  await using smtp = await startSmtpServer({
    onRcptTo: (_address, _session, done) =>
      done(isFull ? Object.assign(new Error('5.2.2 full'), { responseCode: 552 }) : null),
  });
  let time = Date.now();
  await using server = await startServer({
    adminKey: ADMIN_KEY,
    hasBackgroundJobs: false,
    mail: createTestMail(smtp.port),
    now: () => time,
  });
  await addDonation(server.repository);
  await server.outboundMail.sendDueMessages(AbortSignal.timeout(60_000));
  time += 15 * DAY;
  await addDonation(server.repository);
  await addDonation(server.repository);
  await server.outboundMail.sendDueMessages(AbortSignal.timeout(60_000));
  isFull = false;
  const answer = await callAdmin(server, '/api/mail/resend', {});
  assert.deepEqual(await answer.json(), { resent: 2 });
  await server.outboundMail.sendDueMessages(AbortSignal.timeout(60_000));
  assert.deepEqual(
    (await listMailMessages(server)).map(({ status }) => status),
    ['failed', 'sent', 'sent'],
  );
});

test('keeps the Message-ID of a message that may have been sent if the sender changes', async () => {
  const responses = [450, undefined];
  await using smtp = await startSmtpServer({}, () => {
    const responseCode = responses.shift();
    return responseCode === undefined
      ? undefined
      : Object.assign(new Error('4.2.0 try again'), { responseCode });
  });
  const mail = createTestMail(smtp.port);
  await using server = await startServer({ hasBackgroundJobs: false, mail });
  await addDonation(server.repository);
  await server.outboundMail.sendDueMessages(AbortSignal.timeout(60_000));
  const [{ messageId } = assert.fail()] = await listMailMessages(server);
  assert.match(messageId!, /@lanternwell\.example>$/);
  const from = { name: 'Lanternwell', address: 'new@other.example' };
  server.outboundMail.replaceOrganizations(
    server.organizations.all.map((one) => ({ ...one, mail: { ...mail, from } })),
  );
  await server.database.db.updateTable('mailMessages').set({ nextRunAt: 0 }).execute();
  await server.outboundMail.sendDueMessages(AbortSignal.timeout(60_000));
  assert.match(getHeader(smtp.received[0]!, 'From')!, /new@other\.example/);
  assert.equal(getHeader(smtp.received[0]!, 'Message-ID'), messageId);
});

test('sends 500 messages about pledges an hour, and those about payments at once', async () => {
  await using smtp = await startSmtpServer();
  let time = Date.now();
  await using server = await startServer({
    hasBackgroundJobs: false,
    mail: createTestMail(smtp.port),
    now: () => time,
  });
  const pledge = await addDonation(server.repository, { outcome: 'promised' });
  const { db } = server.database;
  const [row] = await listMailMessages(server);
  const event = await db.selectFrom('outbox').selectAll().executeTakeFirstOrThrow();
  assert.equal(event.reference, pledge);
  const sent = Array.from({ length: 500 }, (_, count) => ({
    ...row!,
    id: `thank_you earlier ${count}`,
    status: 'sent' as const,
    nextRunAt: 8_640_000_000_000_000,
  }));
  for (let first = 0; first < sent.length; first += 50)
    await db
      .insertInto('mailMessages')
      .values(sent.slice(first, first + 50))
      .execute();
  await addDonation(server.repository);
  await server.outboundMail.sendDueMessages(AbortSignal.timeout(60_000));
  assert.equal(smtp.received.length, 1);
  const waiting = (await listMailMessages(server)).find(({ id }) => id === row!.id)!;
  assert.equal(waiting.status, 'pending');
  assert.match(waiting.lastError!, /limit of such messages per hour/);
  time += 3_600_001;
  await server.outboundMail.sendDueMessages(AbortSignal.timeout(60_000));
  assert.equal(smtp.received.length, 2);
});

test('a server that refuses every recipient by policy costs no attempts, and gets a pause', async () => {
  let refused = 0;
  const response = '554 5.7.1 Relaying denied';
  const client = {
    verify: () => Promise.resolve(),
    send: () => {
      refused += 1;
      const details = { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 554, response };
      return Promise.reject(Object.assign(new Error(response), details));
    },
  };
  let time = Date.now();
  await using server = await startServer({
    hasBackgroundJobs: false,
    mail: createTestMail(1, { client }),
    now: () => time,
  });
  for (let count = 0; count < 20; count += 1) await addDonation(server.repository);
  for (let hour = 0; hour < 40; hour += 1) {
    await server.outboundMail.sendDueMessages(AbortSignal.timeout(60_000));
    time += 3_600_000;
  }
  const messages = await listMailMessages(server);
  assert.ok(messages.every(({ status, attempts }) => status === 'pending' && attempts <= 1));
  assert.ok(refused < 200, String(refused));
});
