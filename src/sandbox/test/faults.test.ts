import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listen } from '../../server/http/listen.ts';
import { parseFault } from '../index.ts';
import { getItems, getMessage, NOON, openSandbox } from './support.ts';

const LIST_PATH = '/api/campaign/list?skip=0&take=1';
const createGift = (reference: string) => ({ reference, summary: 'a gift' });

test('lost-reply: processes the request and breaks the connection', async (t) => {
  const { sandbox, request } = openSandbox({ faults: [parseFault('lost-reply,times=1')] });
  const listener = await listen(sandbox.fetch, { host: '127.0.0.1', port: 0 });
  t.after(listener.close);
  const recordGift = (): Promise<Response> =>
    fetch(`${listener.url}/sandbox/gifts`, {
      method: 'POST',
      headers: { Authorization: 'Bearer key' },
      body: JSON.stringify(createGift('R1')),
    });
  const broken = await recordGift();
  assert.equal(broken.status, 200);
  await assert.rejects(broken.text(), TypeError);
  assert.equal(getItems(await request('/sandbox/gifts?reference=R1')).length, 1);
  assert.deepEqual(await (await recordGift()).json(), { id: 2 });
});

test('broken-json: processes the request and truncates the response', async () => {
  const { sandbox, request } = openSandbox({
    faults: [parseFault('broken-json,times=1,on=platform')],
  });
  const response = await sandbox.fetch(
    new Request('http://127.0.0.1/sandbox/gifts', {
      method: 'POST',
      headers: { Authorization: 'Bearer key' },
      body: JSON.stringify(createGift('R1')),
    }),
  );
  assert.equal(response.status, 200);
  await assert.rejects(response.json(), SyntaxError);
  assert.equal(getItems(await request('/sandbox/gifts?reference=R1')).length, 1);
});

test('too-many and server-error: reject the request and send the rate-limit headers', async () => {
  const { request, requestV1 } = openSandbox();
  await request('/sandbox/faults', { kind: 'too-many' });
  const limited = await request('/sandbox/gifts', createGift('R1'));
  const throttled = await requestV1('/v1/donors');
  assert.deepEqual(
    [
      limited.status,
      limited.headers.get('X-RateLimit-Remaining'),
      limited.headers.get('X-RateLimit-Limit'),
    ],
    [429, '0', '1500'],
  );
  assert.deepEqual(
    [
      throttled.status,
      throttled.headers.get('Retry-After'),
      throttled.headers.get('X-Rate-Limit-Limit'),
    ],
    [429, '60', '1m'],
  );
  assert.match((throttled.body as { details: string }).details, /wait 60 seconds/);
  await request('/sandbox/faults', undefined, { method: 'DELETE' });
  await request('/sandbox/faults', { kind: 'server-error', status: 502, on: 'platform' });
  const failed = await request('/sandbox/gifts', createGift('R1'));
  assert.deepEqual(
    [
      failed.status,
      failed.headers.get('X-RateLimit-Limit'),
      (await requestV1('/v1/donors')).status,
    ],
    [502, '1500', 200],
  );
  await request('/sandbox/faults/server-error', undefined, { method: 'DELETE' });
  assert.deepEqual(getItems(await request('/sandbox/gifts?reference=R1')), []);
});

test('slow: delays the responses of the target', async () => {
  const { request, requestV1 } = openSandbox({
    faults: [parseFault('slow,ms=300,on=platform,times=1')],
  });
  const answered: string[] = [];
  const start = performance.now();
  await Promise.all([
    request(LIST_PATH).then(() => answered.push('first')),
    request(LIST_PATH).then(() => answered.push('second')),
    requestV1('/v1/donors').then(() => answered.push('v1')),
  ]);
  assert.equal(answered.at(-1), 'first');
  assert.ok(performance.now() - start >= 295);
});

test('rejects an invalid fault with the expected values, also on the command line', async () => {
  const { request } = openSandbox();
  for (const [fault, message] of [
    [{ kind: 'fire' }, /expected one of decline, slow/],
    [{ kind: 'slow', ms: -1 }, /ms is -1; expected an integer from 0 to 60000/],
    [{ kind: 'slow', on: 'moon' }, /platform, crm, v1, stripe, paypal/],
    [{ kind: 'slow', tims: 3 }, /Unknown fault field 'tims'/],
  ] as const) {
    assert.match(getMessage(await request('/sandbox/faults', fault)), message);
  }
  assert.deepEqual(parseFault('slow,ms=2000,times=3,on=stripe'), {
    kind: 'slow',
    ms: 2_000,
    times: 3,
    on: 'stripe',
  });
  assert.throws(() => parseFault('slow,ms=fast'), /ms is 'fast'/);
});

test('the control API requires a local request and the platform key, and has no rate limit', async () => {
  const { request } = openSandbox();
  for (const path of ['/sandbox/faults', '/sandbox/clock', '/sandbox/applications']) {
    assert.equal((await request(path, undefined, { headers: {} })).status, 401);
    assert.equal((await request(`https://sandbox.example${path}`)).status, 403);
    assert.equal(
      (
        await request(path, undefined, {
          headers: { Authorization: 'Bearer key', 'X-Forwarded-For': '203.0.113.9' },
        })
      ).status,
      403,
    );
    const { status, headers } = await request(path);
    assert.deepEqual(
      [status, headers.get('X-Sandbox-Extension')],
      [200, 'not in the specification'],
    );
  }
  const { headers } = await request(LIST_PATH);
  assert.equal(headers.get('X-RateLimit-Remaining'), '1499');
  assert.equal(headers.get('X-Sandbox-Extension'), null);
  const { headers: giftHeaders } = await request('/sandbox/gifts?reference=x');
  assert.equal(giftHeaders.get('X-Sandbox-Extension'), 'not in the specification');
});

test('moving the clock resets rate limits and dates new records', async () => {
  const { request } = openSandbox({ hourlyLimit: 1 });
  await request('/sandbox/clock', { advanceSeconds: 1_800 });
  await request(LIST_PATH);
  assert.equal((await request(LIST_PATH)).status, 429);
  assert.deepEqual((await request('/sandbox/clock', { advanceSeconds: 3_600 })).body, {
    now: '2026-11-21T13:30:00.000Z',
    offsetSeconds: 5_400,
  });
  assert.equal(
    (await request(LIST_PATH)).headers.get('X-RateLimit-Reset'),
    String((NOON + 7_200_000) / 1_000),
  );
  await request('/sandbox/clock', { now: '2027-03-01T08:00:00Z' });
  await request('/sandbox/gifts', createGift('R1'));
  await request('/sandbox/clock', { advanceSeconds: 3_600 });
  assert.equal(
    getItems(await request('/api/activity/list', { skip: 0, take: 1 }))[0]?.date,
    '2027-03-01T08:00:00.000Z',
  );
  const back = await request('/sandbox/clock', undefined, { method: 'DELETE' });
  assert.deepEqual(back.body, { now: '2026-11-21T12:00:00.000Z', offsetSeconds: 0 });
  for (const body of [
    {},
    { now: 'soon' },
    { advanceSeconds: '5' },
    { advanceSeconds: 1e12 },
    { advanceSeconds: 1, now: '2027-01-01' },
    { seconds: 1 },
  ])
    assert.equal((await request('/sandbox/clock', body)).status, 400, JSON.stringify(body));
});
