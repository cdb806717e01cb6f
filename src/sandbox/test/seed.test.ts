import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDatabaseFile, getItems, getList, getMessage, openSandbox } from './support.ts';

const ACTIVITIES = '/api/activity/list';

test('generates the same history on the same day and a different one on another day', async () => {
  const listActivities = async (now: string): Promise<string> => {
    const { request } = openSandbox({ seed: true, now: () => new Date(now) });
    return JSON.stringify((await request(ACTIVITIES, { skip: 0, take: 5_000 })).body);
  };
  const morning = await listActivities('2026-11-21T01:00:00Z');
  assert.ok(morning === (await listActivities('2026-11-21T23:00:00Z')));
  assert.ok(morning !== (await listActivities('2026-11-22T01:00:00Z')));
});

test('generates two years of history up to the previous day', async () => {
  const { request, requestV1 } = openSandbox({ seed: true });
  const activities = getItems(await request(ACTIVITIES, { skip: 0, take: 9_999 }));
  const dates = activities.map(({ date }) => String(date));
  assert.ok(
    dates.length > 1_500 &&
      dates[0]! < '2026-11-21' &&
      dates.at(-1)! < '2024-12-01' &&
      dates.at(-1)! >= '2024-11-20',
    `${dates.length} ${dates[0]} ${dates.at(-1)}`,
  );
  assert.deepEqual(dates, dates.toSorted().reverse());
  for (const origin of [0, 1, 2, 3, 4, 5])
    assert.ok(
      getItems(await request(ACTIVITIES, { skip: 0, take: 1, selectedActivityOrigins: [origin] }))
        .length === 1,
      String(origin),
    );
  for (const { email } of getList(await requestV1('/v1/donors?pageSize=200')))
    assert.match(String(email), /@(example\.org|mail\.example)$/);
});

test('has campaigns but no activities without a seed', async () => {
  const { request } = openSandbox();
  assert.deepEqual(getItems(await request(ACTIVITIES, { skip: 0, take: 9 })), []);
  assert.deepEqual(
    getItems(await request('/api/campaign/list?skip=0&take=9')).map(({ id }) => id),
    [101, 102, 103, 104, 105, 106],
  );
});

test('seeds a database file only once and keeps newer records', async (t) => {
  const databaseFile = await createDatabaseFile(t);
  const before = openSandbox({ databaseFile, seed: true });
  await before.request('/sandbox/gifts', { reference: 'R1', summary: 'a new gift' });
  const count = getItems(await before.request(ACTIVITIES, { skip: 0, take: 9_999 })).length;
  before.sandbox.close();
  const after = openSandbox({ databaseFile, seed: true });
  const activities = getItems(await after.request(ACTIVITIES, { skip: 0, take: 9_999 }));
  assert.deepEqual([activities.length, activities[0]?.displayText], [count, 'a new gift']);
  after.sandbox.close();
});

test('shows a recorded gift in both interfaces, with one donor per email, and updates its status', async () => {
  const { request, requestV1 } = openSandbox();
  const body = {
    reference: 'R1',
    summary: 'Ana gave',
    total: '51.81',
    paymentMethod: 4,
    gift: { currency: 'EUR', frequency: 'quarterly', anonymous: true, segment: 'MAIL26' },
    donor: { firstName: 'Ana', email: 'Ana@example.org' },
    projects: [{ code: 'WATER', name: 'Village wells', amount: '51.81' }],
  };
  assert.deepEqual((await request('/sandbox/gifts', body)).body, { id: 1 });
  for (const [origin, count] of [
    [3, 1],
    [4, 0],
  ]) {
    const list = { skip: 0, take: 9, selectedActivityOrigins: [origin] };
    assert.equal(getItems(await request(ACTIVITIES, list)).length, count);
  }
  await request('/sandbox/gifts', { ...body, donor: { email: 'ana@EXAMPLE.org' } });
  assert.equal(getList(await requestV1('/v1/donors')).length, 1);
  const changeGift = (id: number, fields: object) =>
    request(`/sandbox/gifts/${id}`, fields, { method: 'PATCH' });
  assert.deepEqual((await changeGift(1, { status: 'Refunded' })).body, {
    id: 1,
    reference: 'R1',
    status: 4,
  });
  assert.deepEqual(getItems(await request('/sandbox/gifts?reference=R1')), [
    { id: 1, reference: 'R1', status: 4 },
    { id: 2, reference: 'R1', status: 1 },
  ]);
  const [gift] = getList(await requestV1('/v1/donations'));
  assert.deepEqual(
    [
      gift?.amount,
      gift?.currency,
      gift?.status,
      gift?.tenderType,
      gift?.recurringFrequency,
      gift?.IsAnonymous,
      gift?.code,
    ],
    [51.81, 'EUR', 4, 9, 4, true, 'MAIL26'],
  );
  assert.match(
    getMessage(await changeGift(1, { status: 6 })),
    /1 \(Approved\).*11 \(Disputed \(Lost\)\)/,
  );
  assert.deepEqual(
    [(await changeGift(9, { status: 4 })).status, (await changeGift(1, { amount: 1 })).status],
    [404, 400],
  );
  assert.match(
    getMessage(await request('/sandbox/gifts', { ...body, total: 51.81 })),
    /total must be a string/,
  );
});
