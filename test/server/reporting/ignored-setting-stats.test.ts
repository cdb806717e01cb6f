import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SettingsReport } from '../../../src/core/schemas/settings-report.ts';
import { ORIGIN, openDesk, problemOf, type Desk } from '../support.ts';

const mistake = { name: 'fund-code', reason: 'not-offered' } as const;
const report = (
  desk: Desk,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> =>
  Promise.resolve(
    desk.handler.fetch(
      new Request('https://give.example/settings-report', {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json', Origin: ORIGIN, ...headers },
      }),
    ),
  );
const counted = async (desk: Desk, query = ''): Promise<Record<string, unknown>[]> => {
  const response = await desk.admin(new Request(`http://127.0.0.1/settings-report${query}`));
  return ((await response.json()) as { items: Record<string, unknown>[] }).items;
};

test('what forms ignored is counted by form, name, reason and segment, and told on the admin listener only', async () => {
  await using desk = await openDesk({ now: () => Date.UTC(2026, 10, 21, 12) });
  const body: SettingsReport = {
    form: 'main',
    segment: 'MAIL26',
    ignored: [mistake, { name: 'amt', reason: 'invalid' }],
  };
  for (let times = 0; times < 3; times += 1) assert.equal((await report(desk, body)).status, 204);
  await report(desk, { form: 'main', ignored: [mistake] });
  assert.deepEqual(await counted(desk), [
    {
      form: 'main',
      name: 'amt',
      reason: 'invalid',
      segment: 'MAIL26',
      count: 3,
      lastDay: '2026-11-21',
    },
    {
      form: 'main',
      name: 'fund-code',
      reason: 'not-offered',
      segment: 'MAIL26',
      count: 3,
      lastDay: '2026-11-21',
    },
    {
      form: 'main',
      name: 'fund-code',
      reason: 'not-offered',
      segment: '',
      count: 1,
      lastDay: '2026-11-21',
    },
  ]);
  assert.equal(
    (await desk.handler.fetch(new Request('https://give.example/settings-report'))).status,
    405,
  );
});

test('a report that is none is refused, and leaves nothing', async () => {
  await using desk = await openDesk();
  for (const [body, headers, status, code] of [
    [
      { form: 'main', ignored: [mistake] },
      { Origin: 'https://other.example' },
      403,
      'origin-not-allowed',
    ],
    [{ form: 'none', ignored: [mistake] }, {}, 404, 'form-not-found'],
    [
      { form: 'main', ignored: [{ name: 'ana@example.org', reason: 'invalid' }] },
      {},
      400,
      'invalid-field',
    ],
    [{ form: 'main', ignored: [{ ...mistake, value: 'WATTER' }] }, {}, 400, 'unknown-field'],
    [{ form: 'main', ignored: [{ name: 'amt', reason: 'overridden' }] }, {}, 400, 'invalid-field'],
    [{ form: 'main', ignored: [] }, {}, 400, 'invalid-field'],
    [{ form: 'main', segment: 'a\u202eb', ignored: [mistake] }, {}, 400, 'invalid-field'],
    [{ form: 'main', ignored: [mistake], more: 'x'.repeat(9_000) }, {}, 413, 'payload-too-large'],
    [
      { form: 'main', ignored: [mistake] },
      { 'Content-Type': 'text/plain' },
      415,
      'content-type-unsupported',
    ],
  ] as const) {
    const response = await report(desk, body, headers);
    assert.deepEqual(
      [response.status, (await problemOf(response)).code],
      [status, code],
      JSON.stringify(body).slice(0, 100),
    );
  }
  assert.deepEqual(await counted(desk), []);
});

test('a flood of made-up segments is counted up to 1,000 kinds a day', async () => {
  await using desk = await openDesk();
  for (let index = 0; index < 1_200; index += 1) {
    desk.ignoredSettingStats.add({ form: 'main', segment: `S${index}`, ignored: [mistake] });
    if (index % 600 === 0) await desk.ignoredSettingStats.flush();
  }
  const items = await counted(desk);
  assert.equal(items.length, 1_000);
  await report(desk, { form: 'main', segment: 'S5', ignored: [mistake] });
  assert.equal((await counted(desk)).find(({ segment }) => segment === 'S5')?.count, 2);
});

test('days are counted apart, and forgotten after 90', async () => {
  let today = Date.UTC(2026, 10, 21);
  await using desk = await openDesk({ now: () => today });
  desk.ignoredSettingStats.add({ form: 'main', ignored: [mistake] });
  await desk.ignoredSettingStats.flush();
  today += 40 * 86_400_000;
  assert.deepEqual([await counted(desk), (await counted(desk, '?days=60')).length], [[], 1]);
  today += 60 * 86_400_000;
  desk.ignoredSettingStats.add({ form: 'main', ignored: [{ ...mistake, name: 'amt' }] });
  assert.deepEqual(
    (await counted(desk, '?days=90')).map(({ name }) => name),
    ['amt'],
  );
  const refused = await desk.admin(new Request('http://127.0.0.1/settings-report?days=x'));
  assert.deepEqual(
    [refused.status, await refused.json()],
    [400, { message: "days is 'x'; expected a number from 1 to 90." }],
  );
});
