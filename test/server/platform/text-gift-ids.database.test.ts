import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { HttpPlatformConfiguration } from '../../../src/core/schemas/index.ts';
import { FundraisingClient } from '../../../src/platform-clients/fundraising/index.ts';
import { createHttpAdapter } from '../../../src/server/platform/http.ts';
import { formWithPayments } from '../payments/support.ts';
import { fetchDonationDetail, resolveDonation, startAdminServer } from '../admin/support.ts';
import { readOutcome, type TestServer } from '../support.ts';
import { SECOND, START } from './api-quota-support.ts';

const GIFT_ID = '0065g00000ABC100';

interface PlatformOptions {
  readonly now: () => number;
  /** Time after which the lookup finds a gift, in milliseconds. */
  readonly lag?: number;
  /** Duration of the first call, whose reply is lost, in milliseconds. */
  readonly lostCallDuration?: number;
  readonly id?: string;
}

/** Starts a platform with text IDs on a socket. */
async function startPlatform({ now, lag = 0, lostCallDuration, id = GIFT_ID }: PlatformOptions) {
  const gifts: { readonly reference: string; readonly visibleAt: number }[] = [];
  const calls: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://platform.test');
    const reply = (body: object): void => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(body));
    };
    calls.push(`${request.method} ${pathname}`);
    if (request.method === 'GET') {
      const isFound = gifts.some(
        ({ reference, visibleAt }) =>
          reference === searchParams.get('reference') && visibleAt <= now(),
      );
      reply({ items: isFound ? [{ id }] : [] });
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method !== 'POST') return reply({});
      const { reference } = JSON.parse(Buffer.concat(chunks).toString()) as { reference: string };
      const isLost = lostCallDuration !== undefined && gifts.length === 0;
      gifts.push({ reference, visibleAt: now() + (isLost ? lostCallDuration : 0) + lag });
      if (isLost) request.socket.destroy();
      else reply({ gift: { id } });
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    gifts,
    calls,
    client: new FundraisingClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'key' }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const record = { path: '/gifts', body: { reference: '{reference}' }, idPath: 'gift.id' };
const find = { path: '/gifts?reference={reference}', idPath: 'items.0.id' };
const update: HttpPlatformConfiguration['update'] = {
  method: 'PATCH',
  path: '/gifts/{platformId}',
  body: { status: '{giftStatus}' },
};

async function pledge(server: TestServer): Promise<string> {
  const request = await server.createRequest({ payment: { provider: 'offline' } });
  return (await readOutcome(await server.postDonation(request))).reference;
}

test('records a gift once on a platform with text IDs, and uses the ID for updates', async () => {
  for (const configuration of [
    { record, find, update },
    { record, update },
  ]) {
    await using platform = await startPlatform({ now: Date.now });
    await using server = await startAdminServer({
      changePlatform: () => createHttpAdapter(platform.client, configuration),
    });
    const { reference, ...outcome } = await server.donate();
    await server.handler.runJobs();
    const response = 'response' in outcome ? outcome.response : undefined;
    assert.deepEqual(
      [response?.success, response?.giftId, platform.calls],
      [true, null, ['POST /gifts']],
      'find' in configuration ? 'with find' : 'without find',
    );
    const detail = await fetchDonationDetail(server, reference);
    assert.deepEqual(
      [detail.platformId, detail.events.map(({ status, platformId }) => [status, platformId])],
      [GIFT_ID, [['delivered', GIFT_ID]]],
    );
    await server.repository.outbox.insertEntries('lanternwell', [
      { id: 'refund 1', reference, kind: 'refund', payload: { amount: 100, refunded: 100 } },
    ]);
    await server.handler.runJobs();
    assert.equal(platform.calls.at(-1), `PATCH /gifts/${GIFT_ID}`);
  }
});

test("reports every integer that JavaScript can represent as the response's giftId", async () => {
  for (const [id, giftId] of [
    ['123456789012345', 123_456_789_012_345],
    ['9007199254740991', 9_007_199_254_740_991],
    ['9007199254740993', null],
  ] as const) {
    await using platform = await startPlatform({ now: Date.now, id });
    await using server = await startAdminServer({
      changePlatform: () => createHttpAdapter(platform.client, { record }),
    });
    const { reference, ...outcome } = await server.donate();
    const saved = await server.repository.findByReference(reference);
    assert.deepEqual(
      ['response' in outcome && outcome.response?.giftId, saved?.platformGiftId],
      [giftId, id],
    );
  }
});

test('never sends a gift again because an index of the platform lags', async () => {
  for (const [findDelaySeconds, lostCallDuration, lag] of [
    [undefined, 0, 29 * SECOND],
    [undefined, 10 * SECOND, 19 * SECOND],
    [120, 10 * SECOND, 119 * SECOND],
  ] as const) {
    let time = START;
    const now = (): number => time;
    await using platform = await startPlatform({ now, lag, lostCallDuration });
    await using server = await startAdminServer({
      now,
      form: formWithPayments,
      changePlatform: () => createHttpAdapter(platform.client, { record, find, findDelaySeconds }),
    });
    const reference = await pledge(server);
    while (time < START + 200 * SECOND) {
      await server.handler.runJobs();
      time += SECOND;
    }
    assert.deepEqual(
      [platform.gifts.length, (await server.repository.findByReference(reference))?.platformGiftId],
      [1, GIFT_ID],
      `${findDelaySeconds} s declared, ${lag} ms lag`,
    );
  }
});

test('sends a gift again after the declared lag if the platform never received it', async () => {
  let time = START;
  const now = (): number => time;
  await using platform = await startPlatform({ now, lostCallDuration: 0, lag: Infinity });
  await using server = await startAdminServer({
    now,
    form: formWithPayments,
    changePlatform: () =>
      createHttpAdapter(platform.client, { record, find, findDelaySeconds: 60 }),
  });
  await pledge(server);
  const counts: number[] = [];
  for (const at of [0, 60, 69, 71]) {
    time = START + at * SECOND;
    await server.handler.runJobs();
    counts.push(platform.gifts.length);
  }
  assert.deepEqual(counts, [1, 1, 1, 2]);
});

test('saves a text ID that a person enters, and rejects what cannot be an ID', async () => {
  await using platform = await startPlatform({ now: Date.now, lostCallDuration: 0 });
  await using server = await startAdminServer({
    form: formWithPayments,
    changePlatform: () => createHttpAdapter(platform.client, { record }),
  });
  const reference = await pledge(server);
  await server.handler.runJobs();
  for (const platformId of [
    '',
    '0',
    '00000000-0000-0000-0000-000000000000',
    'a b',
    'x'.repeat(256),
    -1,
  ])
    assert.equal(
      (await resolveDonation(server, reference, { decision: 'recorded', platformId })).status,
      400,
      String(platformId),
    );
  const { donation } = await resolveDonation(server, reference, {
    decision: 'recorded',
    platformId: GIFT_ID,
  });
  assert.deepEqual(
    [donation?.platformId, donation?.decisions.map(({ platformId }) => platformId)],
    [GIFT_ID, [GIFT_ID]],
  );
});
