import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpPlatformConfiguration } from '../../../src/core/schemas/index.ts';
import { createHttpAdapter } from '../../../src/server/platform/http.ts';
import { fetchDonationDetail, resolveDonation, startAdminServer } from '../admin/support.ts';
import { PLEDGE, SECOND, START } from './api-quota-support.ts';
import { createClient } from './test-platform.ts';

const GIFT_ID = '0065g00000ABC100';

interface PlatformOptions {
  readonly now: () => number;
  /** Time after which the lookup finds a gift, in milliseconds. */
  readonly lag?: number;
  /** Duration of the first call, whose reply is lost, in milliseconds. */
  readonly lostCallDuration?: number;
  readonly id?: string;
}

/** Creates a platform with text IDs. */
function createPlatform({ now, lag = 0, lostCallDuration, id = GIFT_ID }: PlatformOptions) {
  const gifts: { readonly reference: string; readonly visibleAt: number }[] = [];
  const calls: string[] = [];
  const client = createClient(async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    calls.push(`${request.method} ${pathname}`);
    if (request.method === 'GET') {
      const wanted = searchParams.get('reference');
      const isFound = gifts.some(
        ({ reference, visibleAt }) => reference === wanted && visibleAt <= now(),
      );
      return Response.json({ items: isFound ? [{ id }] : [] });
    }
    if (request.method !== 'POST') return Response.json({});
    const { reference } = (await request.json()) as { reference: string };
    const isLost = lostCallDuration !== undefined && gifts.length === 0;
    gifts.push({ reference, visibleAt: now() + (isLost ? lostCallDuration : 0) + lag });
    if (isLost) throw new TypeError('the reply is lost');
    return Response.json({ gift: { id } });
  });
  return { gifts, calls, client };
}

const record = { path: '/gifts', body: { reference: '{reference}' }, idPath: 'gift.id' };
const find = { path: '/gifts?reference={reference}', idPath: 'items.0.id' };
const update: HttpPlatformConfiguration['update'] = {
  method: 'PATCH',
  path: '/gifts/{platformId}',
  body: { status: '{giftStatus}' },
};

test('records a gift once on a platform with text IDs, and uses the ID for updates', async () => {
  for (const configuration of [
    { record, find, update },
    { record, update },
  ]) {
    const platform = createPlatform({ now: Date.now });
    await using server = await startAdminServer({
      changePlatform: () => createHttpAdapter(platform.client, configuration),
    });
    const { reference, response } = await server.donate();
    await server.handler.runJobs();
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
    const platform = createPlatform({ now: Date.now, id });
    await using server = await startAdminServer({
      changePlatform: () => createHttpAdapter(platform.client, { record }),
    });
    const { reference, response } = await server.donate();
    const saved = await server.repository.findByReference(reference);
    assert.deepEqual([response?.giftId, saved?.platformGiftId], [giftId, id]);
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
    const platform = createPlatform({ now, lag, lostCallDuration });
    await using server = await startAdminServer({
      now,
      changePlatform: () => createHttpAdapter(platform.client, { record, find, findDelaySeconds }),
    });
    const { reference } = await server.submitDonation(PLEDGE);
    const getGiftId = async () =>
      (await server.repository.findByReference(reference))?.platformGiftId;
    for (; time < START + 200 * SECOND && !(await getGiftId()); time += SECOND)
      await server.handler.runJobs();
    for (; time <= START + 200 * SECOND; time += 10 * SECOND) await server.handler.runJobs();
    assert.deepEqual(
      [platform.gifts.length, await getGiftId()],
      [1, GIFT_ID],
      `${findDelaySeconds} s declared, ${lag} ms lag`,
    );
  }
});

test('sends a gift again after the declared lag if the platform never received it', async () => {
  let time = START;
  const now = (): number => time;
  const platform = createPlatform({ now, lostCallDuration: 0, lag: Infinity });
  await using server = await startAdminServer({
    now,
    changePlatform: () =>
      createHttpAdapter(platform.client, { record, find, findDelaySeconds: 60 }),
  });
  await server.submitDonation(PLEDGE);
  const counts: number[] = [];
  for (const at of [0, 60, 69, 71]) {
    time = START + at * SECOND;
    await server.handler.runJobs();
    counts.push(platform.gifts.length);
  }
  assert.deepEqual(counts, [1, 1, 1, 2]);
});

test('saves a text ID that a person enters, and rejects what cannot be an ID', async () => {
  const platform = createPlatform({ now: Date.now, lostCallDuration: 0 });
  await using server = await startAdminServer({
    changePlatform: () => createHttpAdapter(platform.client, { record }),
  });
  const { reference } = await server.submitDonation(PLEDGE);
  await server.handler.runJobs();
  const resolve = (platformId: string | number) =>
    resolveDonation(server, reference, { decision: 'recorded', platformId });
  const uuid = '00000000-0000-0000-0000-000000000000';
  for (const platformId of ['', '0', uuid, 'a b', 'x'.repeat(256), -1])
    assert.equal((await resolve(platformId)).status, 400, String(platformId));
  const { donation } = await resolve(GIFT_ID);
  assert.deepEqual(
    [donation?.platformId, donation?.decisions.map(({ platformId }) => platformId)],
    [GIFT_ID, [GIFT_ID]],
  );
});
