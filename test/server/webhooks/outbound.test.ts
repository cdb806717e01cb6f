import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { loadConfiguration } from '../../../src/server/config/load-configuration.ts';
import { createWebhookEndpoints } from '../../../src/server/organizations/outbound-webhook-endpoint.ts';
import { exampleForm } from '../../example-form.ts';
import { waitUntil } from '../../wait-until.ts';
import { createFullForm, fullDonation } from '../full-form.ts';
import { findFreePort } from '../loopback.ts';
import { startServer, type TestServer } from '../support.ts';
import { createTestEnvironment, KEYS } from '../test-environment.ts';
import { listMessages, PREVIOUS_SECRET, SECRET, startWebhookListener } from './outbound-support.ts';

/** Makes all messages due. */
async function makeMessagesDue({ database, outboundWebhooks }: TestServer): Promise<void> {
  await database.db.updateTable('webhookMessages').set({ nextRunAt: 0 }).execute();
  outboundWebhooks.wakeWorkers('lanternwell');
}

test('sends a donation event without personal data, signed with both secrets', async () => {
  await using receiver = await startWebhookListener();
  await using server = await startServer({
    form: createFullForm,
    webhookEndpoints: [receiver.endpoint],
  });
  const tracking = { utmSource: 'mail', adClickId: 'c1' };
  const canary = 'canary text';
  const { status, reference } = await server.makeDonation({
    ...fullDonation,
    tracking,
    customFields: [{ id: '12', value: canary }],
    donor: {
      ...fullDonation.donor,
      firstName: canary,
      lastName: canary,
      phone: canary,
      organization: canary,
    },
    gift: {
      ...fullDonation.gift,
      comment: canary,
      tribute: {
        kind: 'memory',
        name: canary,
        message: canary,
        notifyEmail: 'canary-tribute@example.org',
      },
    },
  });
  assert.equal(status, 'succeeded');
  await waitUntil(
    async () => receiver.received.length === 1 && (await listMessages(server)).length === 0,
  );
  const { id, headers, body, message } = receiver.received[0]!;
  assert.deepEqual(
    { ...message, timestamp: '' },
    {
      type: 'donation.succeeded',
      timestamp: '',
      data: {
        reference,
        organization: 'lanternwell',
        form: 'main',
        isTest: true,
        currency: 'USD',
        decimals: 2,
        amount: 10_000,
        coveredFees: 330,
        total: 10_330,
        frequency: 'once',
        segment: 'MAIL26',
        projects: [
          { id: '2', code: 'WATER', amount: 3_334 },
          { id: '1', code: 'GENERAL', amount: 3_333 },
          { id: '3', amount: 3_333 },
        ],
        tracking,
        language: 'en',
        page: 'https://lanternwell.example/give',
      },
    },
  );
  assert.doesNotMatch(JSON.stringify(headers) + body, /canary|maria|@/i);
  assert.match(id, /^msg_[\w-]{43}$/);
  assert.equal(headers['webhook-signature']!.split(' ').length, 2);
  new Webhook(PREVIOUS_SECRET).verify(body, headers);
  for (const [changedBody, changedHeaders] of [
    [body.replace('10330', '10331'), {}],
    [body, { 'webhook-id': 'msg_other' }],
    [body, { 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) }],
  ] as const) {
    assert.throws(
      () => new Webhook(SECRET).verify(changedBody, { ...headers, ...changedHeaders }),
      /No matching signature/,
    );
  }
});

test('resends the same message after an error or a lost response, without delaying donations or other endpoints', async () => {
  await using slow = await startWebhookListener((response, count) => {
    if (count === 0) return response.writeHead(500).end('x'.repeat(1_000_000));
    if (count === 1) return response.destroy();
    if (count === 2) return response.writeHead(302, { Location: slow.endpoint.url }).end();
    return count === 3 ? undefined : response.end();
  });
  await using quick = await startWebhookListener();
  await using server = await startServer({ webhookEndpoints: [slow.endpoint, quick.endpoint] });
  const { status } = await server.makeDonation();
  for (let attempt = 1; attempt <= 4; attempt += 1) {
    await waitUntil(
      async () =>
        slow.received.length === attempt &&
        (attempt === 4 ||
          (await listMessages(server)).some(
            ({ attempts, nextRunAt: dueAt }) => attempts === attempt && dueAt > Date.now(),
          )),
    );
    if (attempt < 4) await makeMessagesDue(server);
  }
  // The fourth attempt gets no response while another donation is made and sent.
  await server.makeDonation();
  await waitUntil(
    async () => quick.received.length === 2 && (await listMessages(server)).length === 2,
  );
  assert.deepEqual(
    [status, slow.received.length, new Set(slow.received.map(({ id, body }) => id + body)).size],
    ['succeeded', 4, 1],
  );
  assert.deepEqual(
    (await listMessages(server)).map(({ attempts, lastError: error }) => [attempts, error]),
    [
      [3, 'status 302'],
      [0, null],
    ],
  );
  assert.ok(
    server.logLines.some(
      (line) =>
        line.includes('"webhook":"msg_') &&
        line.includes('"endpoint":"webhooks.0"') &&
        line.includes('"status":500'),
    ),
  );
  for (const line of server.logLines)
    assert.ok(!line.includes(slow.endpoint.url) && !line.includes('whsec'), line);
});

test('does not count a delivered message as failed if the database fails afterward', async () => {
  let isDown = false;
  await using receiver = await startWebhookListener((response, count) => {
    isDown = count === 0;
    response.end();
  });
  await using server = await startServer({
    hasBackgroundJobs: false,
    webhookEndpoints: [receiver.endpoint],
    changeDatabase: (database) => ({
      ...database,
      writer: {
        ...database.writer,
        write: (work) => {
          if (!isDown) return database.writer.write(work);
          isDown = false;
          return Promise.reject(new Error('disk full'));
        },
      },
    }),
  });
  await server.makeDonation();
  const { signal } = new AbortController();
  await assert.rejects(server.outboundWebhooks.sendDueMessages(signal), /disk full/);
  assert.deepEqual(
    (await listMessages(server)).map(({ attempts, lastError: error }) => [attempts, error]),
    [[0, null]],
  );
  assert.doesNotMatch(server.logLines.join(''), /cannot deliver/);
  await server.outboundWebhooks.sendDueMessages(signal);
  assert.deepEqual(await listMessages(server), []);
  assert.equal(new Set(receiver.received.map(({ id }) => id)).size, 1);
});

test('sends new events to an endpoint that is added to the configuration while the server runs', async () => {
  await using receiver = await startWebhookListener();
  await using environment = await createTestEnvironment();
  const written = JSON.parse(await readFile(environment.config, 'utf8')) as {
    organizations: [object];
  };
  const endpoint = await environment.createEndpoint({ environment: { ...KEYS, SITE: SECRET } });
  endpoint.start();
  assert.equal((await environment.donate(endpoint)).status, 'succeeded');
  await environment.writeConfiguration({
    organizations: [
      {
        ...written.organizations[0],
        webhooks: [{ url: receiver.endpoint.url, secret: { env: 'SITE' } }],
      },
    ],
  });
  await endpoint.reconfigure(await loadConfiguration(environment.config));
  const { reference } = await environment.donate(endpoint);
  await waitUntil(async () => receiver.received.length > 0);
  await endpoint.close();
  assert.deepEqual(
    receiver.received.map(({ message }) => message.data.reference),
    [reference],
  );
});

test('the receiver in docs/server/webhooks.md handles a donation once, and rejects unsigned requests', async (context) => {
  const [, program = ''] = /```js\n(.*?)```/s.exec(
    readFileSync('docs/server/webhooks.md', 'utf8'),
  )!;
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}/`;
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', program.replace('8080', String(port))],
    { env: { DONATION_WEBHOOK_SECRET: SECRET } },
  );
  context.after(() => child.kill());
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += String(chunk);
  });
  await waitUntil(async () =>
    fetch(url, { method: 'POST', body: '{}' }).then(
      ({ status }) => status === 400,
      () => false,
    ),
  );
  const [endpoint] = createWebhookEndpoints(
    [{ url, secret: { env: 'NEW' } }],
    () => SECRET,
    'organizations.0',
  );
  await using server = await startServer({
    form: { ...exampleForm, isTest: false },
    webhookEndpoints: [endpoint!],
  });
  // A client that disconnects must not crash the receiver.
  await once(
    connect(port, '127.0.0.1')
      .resume()
      .end('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc'),
    'close',
  );
  const { reference } = await server.makeDonation();
  await waitUntil(async () => printed !== '' && (await listMessages(server)).length === 0);
  assert.equal(printed, `real donation.succeeded ${reference} 51.81 USD\n`);
});
