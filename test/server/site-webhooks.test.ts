import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import {
  siteWebhookMessage,
  type SiteEvent,
  type SiteWebhookMessage,
} from '../../src/contract/site-webhook.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { loadConfiguration } from '../../src/server/configuration.ts';
import { openEndpoint } from '../../src/server/endpoint.ts';
import { openSiteAddresses, type SiteAddress } from '../../src/server/site-webhooks/address.ts';
import { exampleForm } from '../example-form.ts';
import { BANKS, CARDS } from '../fake-stripe/index.ts';
import { until } from '../until.ts';
import { askOperator, OPERATOR_KEY } from './operator-support.ts';
import { openStripeDesk } from './payments-support.ts';
import { KEYS, LOG, openSite } from './site.ts';
import { isShared } from './store.ts';
import { openDesk, outcomeOf, PLATFORM_KEY, SECRET_KEY, type Desk } from './support.ts';
import { wholeForm, wholeGift } from './whole-form.ts';

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const OLD_SECRET = `whsec_${Buffer.alloc(24, 2).toString('base64')}`;

/** One request that a receiver got. */
interface Received {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly message: SiteWebhookMessage;
}

interface Receiver extends AsyncDisposable {
  readonly address: SiteAddress;
  readonly received: Received[];
}

/**
 * The site's own server, which believes what the library verifies and nothing else.
 * @param answer what it does with each request, after so many before it.
 */
async function openReceiver(
  answer: (response: ServerResponse, before: number) => unknown = (response) =>
    response.writeHead(204).end(),
  events?: [SiteEvent, ...SiteEvent[]],
): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request
      .on('data', (piece: Buffer) => {
        body += piece.toString();
      })
      .on('end', () => {
        const headers = request.headers as Record<string, string>;
        const message = siteWebhookMessage.parse(new Webhook(SECRET).verify(body, headers));
        answer(response, received.push({ id: headers['webhook-id']!, headers, body, message }) - 1);
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/donations`;
  const [address] = openSiteAddresses(
    [{ url, secret: { env: 'NEW' }, previousSecret: { env: 'OLD' }, events }],
    (name) => ('env' in name && name.env === 'NEW' ? SECRET : OLD_SECRET),
    'organizations.0',
  );
  return {
    address: address!,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const rowsOf = ({ store }: Desk) =>
  store.db.selectFrom('site_webhooks').selectAll().orderBy('created_at').execute();
/** Lets what waits be due. */
async function pass({ store, siteWebhooks }: Desk): Promise<void> {
  await store.db.updateTable('site_webhooks').set({ due_at: 0 }).execute();
  siteWebhooks.wake('lanternwell');
}
const give = async (desk: Desk, change: Parameters<Desk['request']>[0] = {}) =>
  outcomeOf(await desk.post(await desk.request(change)));
const typesOf = ({ received }: Receiver): string[] => received.map(({ message }) => message.type);

test("the site's server is told of a gift, signed by each of the secrets and with nothing that names its donor", async () => {
  await using receiver = await openReceiver();
  await using desk = await openDesk({ form: wholeForm, webhooks: [receiver.address] });
  const canary = (name: string): string => `canary ${name}`;
  const tracking = { utmSource: 'mail', adClickId: 'c1' };
  const { state, reference } = await give(desk, {
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
  assert.equal(state, 'succeeded');
  await until(async () => receiver.received.length === 1 && (await rowsOf(desk)).length === 0);
  const { id, headers, body, message } = receiver.received[0]!;
  assert.deepEqual(
    { ...message, timestamp: '' },
    {
      type: 'gift.succeeded',
      timestamp: '',
      data: {
        reference,
        organization: 'lanternwell',
        form: 'main',
        isTest: true,
        currency: 'USD',
        decimals: 2,
        amount: 10_000,
        costs: 330,
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
  await using desk = await openDesk({ webhooks: [slow.address, quick.address] });
  const { state } = await give(desk);
  for (let tries = 1; tries <= 4; tries += 1) {
    await until(
      async () =>
        slow.received.length === tries &&
        (tries === 4 ||
          (await rowsOf(desk)).some(
            ({ attempts, due_at: dueAt }) => attempts === tries && dueAt > Date.now(),
          )),
    );
    if (tries < 4) await pass(desk);
  }
  // The fourth try goes on without an answer while another gift is given and told.
  await give(desk);
  await until(async () => quick.received.length === 2 && (await rowsOf(desk)).length === 2);
  assert.deepEqual(
    [state, slow.received.length, new Set(slow.received.map(({ id, body }) => id + body)).size],
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
        line.includes('"address":"webhooks.0"') &&
        line.includes('"status":500'),
    ),
  );
  for (const line of desk.logged)
    assert.ok(!line.includes(slow.address.url) && !line.includes('whsec'), line);
});

test('a receiver that asks for a rest is left alone, one that is gone is sent nothing, and the operator sees what was given up and sends it again', async () => {
  await using busy = await openReceiver((response) =>
    response.writeHead(429, { 'Retry-After': '120' }).end(),
  );
  await using dead = await openReceiver((response, before) =>
    response.writeHead(before === 0 ? 410 : 200).end(),
  );
  await using desk = await openDesk({ webhooks: [busy.address, dead.address], key: OPERATOR_KEY });
  await give(desk);
  const stateOf = async (url: string) =>
    (await rowsOf(desk))
      .filter((row) => row.url === url)
      .map(({ state, due_at: dueAt }) => [state, dueAt > Date.now() + 110_000]);
  await until(async () =>
    (await rowsOf(desk)).every(({ state, attempts }) => state === 'gone' || attempts === 1),
  );
  await give(desk);
  await until(
    async () => (await rowsOf(desk)).filter(({ state }) => state === 'gone').length === 2,
  );
  assert.deepEqual(
    [await stateOf(busy.address.url), busy.received.length, dead.received.length],
    [
      [
        ['waiting', true],
        ['waiting', false],
      ],
      1,
      1,
    ],
  );

  await desk.store.db
    .updateTable('site_webhooks')
    .set({ attempts: 7, due_at: 0 })
    .where('url', '=', busy.address.url)
    .execute();
  assert.deepEqual(await (await askOperator(desk, '/site-webhooks/resend', {})).json(), {
    resent: 2,
  });
  await until(async () => busy.received.length === 2 && dead.received.length === 3);
  await until(async () => (await rowsOf(desk)).some(({ state }) => state === 'given-up'));
  const metrics = await (await askOperator(desk, '/metrics')).text();
  assert.match(
    metrics,
    /donation_form_site_webhooks\{organization="lanternwell",state="given-up"\} 1/,
  );
  assert.match(metrics, /donation_form_site_webhooks\{organization="lanternwell",state="gone"\} 0/);
  assert.ok(
    desk.logged.some((line) => line.includes('which is given up') && line.includes('"level":50')),
  );

  await desk.store.db
    .updateTable('site_webhooks')
    .set({ created_at: Date.now() - 30 * 86_400_000 })
    .execute();
  await desk.siteWebhooks.box.forgetOld();
  assert.deepEqual(await rowsOf(desk), []);
});

test('what was to be told to an address that changes is not lost: the operator sees where it waits, and moves it', async () => {
  await using receiver = await openReceiver();
  await using desk = await openDesk({ webhooks: [receiver.address], key: OPERATOR_KEY });
  const old = 'https://site.example/old';
  const now = Date.now();
  const row = {
    organization: 'lanternwell',
    event: '',
    type: 'gift.succeeded',
    attempts: 8,
    due_at: now,
    created_at: now,
  } as const;
  const { reference } = await give(desk);
  await until(() => Promise.resolve(receiver.received.length === 1));
  await desk.store.db
    .insertInto('site_webhooks')
    .values(
      (['given-up', 'waiting'] as const).map((state) => ({
        ...row,
        id: `msg_${state}`,
        event: `gift ${reference}`,
        url: old,
        state,
        last_error: 'status 404',
      })),
    )
    .execute();
  assert.deepEqual(await (await askOperator(desk, '/site-webhooks/resend', {})).json(), {
    resent: 0,
  });
  const { items } = (await (await askOperator(desk, '/site-webhooks')).json()) as {
    items: unknown;
  };
  assert.deepEqual(
    items,
    ['given-up', 'waiting'].map((state) => ({
      organization: 'lanternwell',
      url: old,
      state,
      count: 1,
      oldest: now,
      lastError: 'status 404',
      isConfigured: false,
    })),
  );
  const move = async (to: string): Promise<unknown> =>
    (await askOperator(desk, '/site-webhooks/move', { from: old, to })).json();
  assert.match(
    JSON.stringify(await move('https://site.example/other')),
    /other is no address of .*webhooks.* in the configuration/,
  );
  assert.deepEqual(await move(receiver.address.url), { moved: 2 });
  await until(async () => receiver.received.length === 3 && (await rowsOf(desk)).length === 0);
  assert.deepEqual(
    receiver.received
      .slice(1)
      .map(({ id }) => id)
      .sort(),
    ['msg_given-up', 'msg_waiting'],
  );
});

test('everything that happens to a gift is told by a name of its own: money that comes later, renewals, refunds, disputes, and the end of a recurring gift', async () => {
  await using receiver = await openReceiver();
  await using few = await openReceiver(undefined, ['gift.refunded']);
  await using desk = await openStripeDesk({ webhooks: [receiver.address, few.address] });
  const next = async (...types: string[]): Promise<SiteWebhookMessage['data']> => {
    await until(async () => receiver.received.length >= types.length);
    assert.deepEqual(typesOf(receiver).toSorted(), types.toSorted());
    return receiver.received.splice(0).at(-1)!.message.data;
  };
  const { reference: debit } = await desk.give(BANKS.ach);
  assert.equal((await next('gift.pending')).reference, debit);
  desk.fake.settle(desk.fake.paymentIntents()[0]!.id);
  await desk.tell({ times: 2 });
  assert.deepEqual((await next('gift.succeeded')).total, 5_181);

  const { reference } = await desk.give(CARDS.good, { frequency: 'monthly' });
  const { subscription_id: subscription, payment_id: payment } =
    (await desk.journal.byReference(reference))!;
  await next('gift.succeeded');
  desk.fake.renew(subscription!);
  await desk.tell();
  assert.deepEqual(
    [
      (({ reference: own, parent, total, frequency }) => [own, parent, total, frequency])(
        await next('gift.renewed'),
      ),
    ],
    [[`${reference}-2`, reference, 5_181, 'monthly']],
  );
  desk.fake.refund(payment!, 1_000);
  await desk.tell({ times: 2 });
  assert.deepEqual(
    [(({ changed, refunded, total }) => [changed, refunded, total])(await next('gift.refunded'))],
    [[1_000, 1_000, 5_181]],
  );
  const { id } = desk.fake.dispute(
    (await desk.journal.events.entryOf(`${reference}-2`))!.payment_id!,
  );
  await desk.tell();
  assert.equal((await next('gift.disputed')).reference, `${reference}-2`);
  desk.fake.closeDispute(id, 'lost');
  desk.fake.cancelSubscription(subscription!);
  await desk.tell();
  await next('gift.dispute_lost', 'recurring.ended');
  await until(async () => (await rowsOf(desk)).length === 0);
  assert.deepEqual(typesOf(few), ['gift.refunded']);
});

test('where no process stays alive, a drain sends what is due', async () => {
  await using receiver = await openReceiver();
  await using desk = await openDesk({ isDrained: true, webhooks: [receiver.address] });
  desk.handler.start();
  for (let gift = 0; gift < 3; gift += 1) await give(desk);
  assert.deepEqual([receiver.received.length, (await rowsOf(desk)).length], [0, 3]);
  const { toSend, next } = await desk.handler.drain();
  assert.deepEqual([receiver.received.length, toSend, next], [3, 0, undefined]);
});

test('a server whose configuration gets an address while it runs sends there what happens from then on, by the secret of its environment', async () => {
  await using receiver = await openReceiver();
  await using site = await openSite();
  const written = JSON.parse(await readFile(site.config, 'utf8')) as { organizations: [object] };
  const endpoint = await openEndpoint({
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
  await endpoint.use(await loadConfiguration(site.config));
  const { reference } = await site.give('', { by });
  await until(async () => receiver.received.length > 0);
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
  await until(async () =>
    fetch(url, { method: 'POST', body: '{}' }).then(
      ({ status }) => status === 400,
      () => false,
    ),
  );
  const [address] = openSiteAddresses(
    [{ url, secret: { env: 'NEW' } }],
    () => SECRET,
    'organizations.0',
  );
  await using desk = await openDesk({
    form: { ...exampleForm, isTest: false },
    webhooks: [address!],
  });
  // Who breaks off ends nothing.
  await once(
    connect(port, '127.0.0.1')
      .resume()
      .end('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc'),
    'close',
  );
  const { reference } = await give(desk);
  await until(async () => printed !== '' && (await rowsOf(desk)).length === 0);
  assert.equal(printed, `real gift.succeeded ${reference} 51.81 USD\n`);
});

if (isShared) {
  test('of two servers over one store one sends each message', async () => {
    await using receiver = await openReceiver();
    const store = randomUUID();
    const sandbox = createSandbox({
      platformKey: PLATFORM_KEY,
      secretKey: SECRET_KEY,
      hourlyLimit: 10_000,
    });
    await using one = await openDesk({ store, sandbox, webhooks: [receiver.address] });
    await using other = await openDesk({ store, sandbox, webhooks: [receiver.address] });
    for (let gift = 0; gift < 8; gift += 1) {
      await give(one, { donor: { email: `${gift}@example.org` } });
      other.siteWebhooks.wake('lanternwell');
    }
    await until(async () => (await rowsOf(one)).length === 0);
    assert.deepEqual(
      [receiver.received.length, new Set(receiver.received.map(({ id }) => id)).size],
      [8, 8],
    );
  });
}
