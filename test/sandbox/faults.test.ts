import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFault } from '../../src/sandbox/index.ts';
import { listen } from '../../src/server/http/listen.ts';
import { CARDS, openProcessor } from './processor-support.ts';
import { itemsOf, messageOf, NOON, openSandbox } from './support.ts';

const LIST = '/api/campaign/list?skip=0&take=1';
const gift = (reference: string) => ({ reference, summary: 'a gift' });

test('decline: the next cards are declined, and then no more', async () => {
  const { steer, pay } = openProcessor();
  await steer('/sandbox/faults', { kind: 'decline', times: 2 });
  const states: unknown[] = [];
  for (const reference of ['A', 'B', 'C'])
    states.push((await pay(CARDS.good, { reference })).state);
  assert.deepEqual(states, ['declined', 'declined', 'succeeded']);
});

test('lost-reply: over a socket the connection breaks, and the work was done', async (t) => {
  const { sandbox, ask } = openSandbox({ faults: [parseFault('lost-reply,times=1')] });
  const listening = await listen(sandbox.fetch, { host: '127.0.0.1', port: 0 });
  t.after(listening.close);
  const record = async (): Promise<unknown> =>
    (
      await fetch(`${listening.address}/sandbox/gifts`, {
        method: 'POST',
        headers: { Authorization: 'Bearer key' },
        body: JSON.stringify(gift('R1')),
      })
    ).json();
  await assert.rejects(record(), TypeError);
  assert.equal(itemsOf(await ask('/sandbox/gifts?reference=R1')).length, 1);
  assert.deepEqual(await record(), { id: 2 });
});

test('broken-json: half of the answer comes, and the work was done', async () => {
  const { sandbox, ask } = openSandbox({ faults: [parseFault('broken-json,times=1,on=platform')] });
  const response = await sandbox.fetch(
    new Request('http://127.0.0.1/sandbox/gifts', {
      method: 'POST',
      headers: { Authorization: 'Bearer key' },
      body: JSON.stringify(gift('R1')),
    }),
  );
  assert.equal(response.status, 200);
  await assert.rejects(response.json(), SyntaxError);
  assert.equal(itemsOf(await ask('/sandbox/gifts?reference=R1')).length, 1);
});

test("too-many and server-error: nothing is done, and the limit's headers are there", async () => {
  const { ask, v1 } = openSandbox();
  await ask('/sandbox/faults', { kind: 'too-many' });
  const limited = await ask('/sandbox/gifts', gift('R1'));
  const throttled = await v1('/v1/donors');
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
  await ask('/sandbox/faults', undefined, {
    method: 'DELETE',
    headers: { Authorization: 'Bearer key' },
  });
  await ask('/sandbox/faults', { kind: 'server-error', status: 502, on: 'platform' });
  const failed = await ask('/sandbox/gifts', gift('R1'));
  assert.deepEqual(
    [failed.status, failed.headers.get('X-RateLimit-Limit'), (await v1('/v1/donors')).status],
    [502, '1500', 200],
  );
  await ask('/sandbox/faults/server-error', undefined, {
    method: 'DELETE',
    headers: { Authorization: 'Bearer key' },
  });
  assert.deepEqual(itemsOf(await ask('/sandbox/gifts?reference=R1')), []);
});

test('slow: an answer comes late, at the place that is named', async () => {
  const { ask, v1 } = openSandbox({ faults: [parseFault('slow,ms=300,on=platform,times=1')] });
  const answered: string[] = [];
  const start = performance.now();
  await Promise.all([
    ask(LIST).then(() => answered.push('first')),
    ask(LIST).then(() => answered.push('second')),
    v1('/v1/donors').then(() => answered.push('v1')),
  ]);
  assert.equal(answered.at(-1), 'first');
  assert.ok(performance.now() - start >= 295);
});

test('a fault that is written wrong is refused with what is expected, on the command line too', async () => {
  const { ask } = openSandbox();
  for (const [fault, said] of [
    [{ kind: 'fire' }, /expected one of decline, slow/],
    [{ kind: 'slow', ms: -1 }, /ms is -1; expected a whole number from 0 to 60000/],
    [{ kind: 'slow', on: 'moon' }, /platform, v1, processor/],
    [{ kind: 'slow', tims: 3 }, /'tims' is no field of a fault/],
  ] as const) {
    assert.match(messageOf(await ask('/sandbox/faults', fault)), said);
  }
  assert.deepEqual(parseFault('slow,ms=2000,times=3,on=processor'), {
    kind: 'slow',
    ms: 2_000,
    times: 3,
    on: 'processor',
  });
  assert.throws(() => parseFault('slow,ms=fast'), /ms is 'fast'/);
});

test('the sandbox is steered from its own machine, with the platform key, and no limit counts it', async () => {
  const { ask } = openSandbox();
  for (const path of ['/sandbox/faults', '/sandbox/clock', '/sandbox/applications']) {
    assert.equal((await ask(path, undefined, { headers: {} })).status, 401);
    assert.equal((await ask(`https://sandbox.example${path}`)).status, 403);
    assert.equal(
      (
        await ask(path, undefined, {
          headers: { Authorization: 'Bearer key', 'X-Forwarded-For': '203.0.113.9' },
        })
      ).status,
      403,
    );
    const { status, headers } = await ask(path);
    assert.deepEqual([status, headers.get('X-Sandbox-Own')], [200, 'not in the specification']);
  }
  assert.equal((await ask(LIST)).headers.get('X-RateLimit-Remaining'), '1499');
});

test('the clock can be moved: limits begin anew and new records carry its date', async () => {
  const { ask } = openSandbox({ hourlyLimit: 1 });
  await ask(LIST);
  assert.equal((await ask(LIST)).status, 429);
  assert.deepEqual((await ask('/sandbox/clock', { advanceSeconds: 3_600 })).body, {
    now: '2026-11-21T13:00:00.000Z',
    movedSeconds: 3_600,
  });
  assert.equal(
    (await ask(LIST)).headers.get('X-RateLimit-Reset'),
    String((NOON + 7_200_000) / 1_000),
  );
  await ask('/sandbox/clock', { now: '2027-03-01T08:00:00Z' });
  await ask('/sandbox/gifts', gift('R1'));
  await ask('/sandbox/clock', { advanceSeconds: 3_600 });
  assert.equal(
    itemsOf(await ask('/api/activity/list', { skip: 0, take: 1 }))[0]?.date,
    '2027-03-01T08:00:00.000Z',
  );
  const back = await ask('/sandbox/clock', undefined, {
    method: 'DELETE',
    headers: { Authorization: 'Bearer key' },
  });
  assert.deepEqual(back.body, { now: '2026-11-21T12:00:00.000Z', movedSeconds: 0 });
  for (const wrong of [
    {},
    { now: 'soon' },
    { advanceSeconds: '5' },
    { advanceSeconds: 1e12 },
    { advanceSeconds: 1, now: '2027-01-01' },
    { seconds: 1 },
  ])
    assert.equal((await ask('/sandbox/clock', wrong)).status, 400, JSON.stringify(wrong));
});
