import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { loadConfiguration } from '../../../src/server/config/load-configuration.ts';
import { createEndpoint } from '../../../src/server/create-endpoint.ts';
import { createWebhookEndpoints } from '../../../src/server/organizations/webhook-endpoint.ts';
import { exampleForm } from '../../example-form.ts';
import { waitUntil } from '../../wait-until.ts';
import { KEYS, LOG, openSite } from '../test-site.ts';
import { give, OLD_SECRET, openReceiver, rowsOf, SECRET } from './outbound-support.ts';
import { openDesk, type Desk } from '../support.ts';
import { wholeForm, wholeGift } from '../full-form.ts';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Lets what waits be due. */
async function pass({ database, outboundWebhooks }: Desk): Promise<void> {
  await database.db.updateTable('webhook_messages').set({ next_run_at: 0 }).execute();
  outboundWebhooks.wake('lanternwell');
}

test("the site's server is told of a gift, signed by each of the secrets and with nothing that names its donor", async () => {
  await using receiver = await openReceiver();
  await using desk = await openDesk({ form: wholeForm, webhookEndpoints: [receiver.address] });
  const canary = (name: string): string => `canary ${name}`;
  const tracking = { utmSource: 'mail', adClickId: 'c1' };
  const { status, reference } = await give(desk, {
    ...wholeGift,
    tracking,
    customFields: [{ id: '12', value: canary('field') }],
    donor: {
      ...wholeGift.donor,
      firstName: canary('first'),
      lastName: canary('last'),
      phone: canary('phone'),
      organization: canary('organization'),
    },
    gift: {
      ...wholeGift.gift,
      comment: canary('comment'),
      tribute: {
        kind: 'memory',
        name: canary('tribute'),
        message: canary('message'),
        notifyEmail: 'canary-tribute@example.org',
      },
    },
  });
  assert.equal(status, 'succeeded');
  await waitUntil(async () => receiver.received.length === 1 && (await rowsOf(desk)).length === 0);
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
  new Webhook(OLD_SECRET).verify(body, headers);
  for (const [altered, other] of [
    [body.replace('10330', '10331'), {}],
    [body, { 'webhook-id': 'msg_other' }],
    [body, { 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) }],
  ] as const) {
    assert.throws(
      () => new Webhook(SECRET).verify(altered, { ...headers, ...other }),
      /No matching signature/,
    );
  }
});

test("what the site's server refuses, or whose answer is lost, is sent again as it was, and neither a gift nor another address waits for it", async () => {
  await using slow = await openReceiver((response, before) => {
    if (before === 0) return response.writeHead(500).end('x'.repeat(1_000_000));
    if (before === 1) return response.destroy();
    if (before === 2) return response.writeHead(302, { Location: slow.address.url }).end();
    return before === 3 ? undefined : response.end();
  });
  await using quick = await openReceiver();
  await using desk = await openDesk({ webhookEndpoints: [slow.address, quick.address] });
  const { status } = await give(desk);
  for (let tries = 1; tries <= 4; tries += 1) {
    await waitUntil(
      async () =>
        slow.received.length === tries &&
        (tries === 4 ||
          (await rowsOf(desk)).some(
            ({ attempts, next_run_at: dueAt }) => attempts === tries && dueAt > Date.now(),
          )),
    );
    if (tries < 4) await pass(desk);
  }
  // The fourth try goes on without an answer while another gift is given and told.
  await give(desk);
  await waitUntil(async () => quick.received.length === 2 && (await rowsOf(desk)).length === 2);
  assert.deepEqual(
    [status, slow.received.length, new Set(slow.received.map(({ id, body }) => id + body)).size],
    ['succeeded', 4, 1],
  );
  assert.deepEqual(
    (await rowsOf(desk)).map(({ attempts, last_error: error }) => [attempts, error]),
    [
      [3, 'status 302'],
      [0, null],
    ],
  );
  assert.ok(
    desk.logged.some(
      (line) =>
        line.includes('"webhook":"msg_') &&
        line.includes('"endpoint":"webhooks.0"') &&
        line.includes('"status":500'),
    ),
  );
  for (const line of desk.logged)
    assert.ok(!line.includes(slow.address.url) && !line.includes('whsec'), line);
});

test('a server whose configuration gets an address while it runs sends there what happens from then on, by the secret of its environment', async () => {
  await using receiver = await openReceiver();
  await using site = await openSite();
  const written = JSON.parse(await readFile(site.config, 'utf8')) as { organizations: [object] };
  const endpoint = await createEndpoint({
    configuration: await loadConfiguration(site.config),
    environment: { ...KEYS, SITE: SECRET },
    log: LOG,
  });
  endpoint.start();
  const by = ((path: string, init?: RequestInit) =>
    endpoint.fetch(new Request(`https://give.example${path}`, init))) as typeof fetch;
  await site.give('', { by });
  await site.configure({
    organizations: [
      {
        ...written.organizations[0],
        webhooks: [{ url: receiver.address.url, secret: { env: 'SITE' } }],
      },
    ],
  });
  await endpoint.reconfigure(await loadConfiguration(site.config));
  const { reference } = await site.give('', { by });
  await waitUntil(async () => receiver.received.length > 0);
  await endpoint.close();
  assert.deepEqual(
    receiver.received.map(({ message }) => message.data.reference),
    [reference],
  );
});

test('the receiver that docs/analytics.md shows hears of a gift once, and believes nobody else', async (context) => {
  const [, program = ''] = /```js\n(.*?)```/s.exec(readFileSync('docs/analytics.md', 'utf8'))!;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', program.replace('8080', String(port))],
    { env: { DONATION_WEBHOOK_SECRET: SECRET } },
  );
  context.after(() => child.kill());
  let printed = '';
  child.stdout.on('data', (piece) => {
    printed += String(piece);
  });
  await waitUntil(async () =>
    fetch(url, { method: 'POST', body: '{}' }).then(
      ({ status }) => status === 400,
      () => false,
    ),
  );
  const [address] = createWebhookEndpoints(
    [{ url, secret: { env: 'NEW' } }],
    () => SECRET,
    'organizations.0',
  );
  await using desk = await openDesk({
    form: { ...exampleForm, isTest: false },
    webhookEndpoints: [address!],
  });
  // Who breaks off ends nothing.
  await once(
    connect(port, '127.0.0.1')
      .resume()
      .end('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc'),
    'close',
  );
  const { reference } = await give(desk);
  await waitUntil(async () => printed !== '' && (await rowsOf(desk)).length === 0);
  assert.equal(printed, `real donation.succeeded ${reference} 51.81 USD\n`);
});
