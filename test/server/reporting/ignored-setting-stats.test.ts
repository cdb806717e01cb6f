import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SettingsReport } from '../../../src/core/schemas/settings-report.ts';
import { ORIGIN, startServer, readProblem, type TestServer } from '../support.ts';

const ignoredSetting = { name: 'fund-code', reason: 'not-offered' } as const;
const postReport = (
  server: TestServer,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> =>
  Promise.resolve(
    server.handler.fetch(
      new Request('https://give.example/settings-report', {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json', Origin: ORIGIN, ...headers },
      }),
    ),
  );
const listCounts = async (server: TestServer, query = ''): Promise<Record<string, unknown>[]> => {
  const response = await server.admin(new Request(`http://127.0.0.1/settings-report${query}`));
  return ((await response.json()) as { items: Record<string, unknown>[] }).items;
};

test('counts ignored settings by form, name, reason, and segment, and lists them only on the admin listener', async () => {
  await using server = await startServer({ now: () => Date.UTC(2026, 10, 21, 12) });
  const body: SettingsReport = {
    form: 'main',
    segment: 'MAIL26',
    ignored: [ignoredSetting, { name: 'amt', reason: 'invalid' }],
  };
  for (let times = 0; times < 3; times += 1)
    assert.equal((await postReport(server, body)).status, 204);
  await postReport(server, { form: 'main', ignored: [ignoredSetting] });
  assert.deepEqual(await listCounts(server), [
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
    (await server.handler.fetch(new Request('https://give.example/settings-report'))).status,
    405,
  );
});

test('rejects an invalid report, and saves nothing', async () => {
  await using server = await startServer();
  for (const [body, headers, status, code] of [
    [
      { form: 'main', ignored: [ignoredSetting] },
      { Origin: 'https://other.example' },
      403,
      'origin-not-allowed',
    ],
    [{ form: 'none', ignored: [ignoredSetting] }, {}, 404, 'form-not-found'],
    [
      { form: 'main', ignored: [{ name: 'ana@example.org', reason: 'invalid' }] },
      {},
      400,
      'invalid-field',
    ],
    [{ form: 'main', ignored: [{ ...ignoredSetting, value: 'WATTER' }] }, {}, 400, 'unknown-field'],
    [{ form: 'main', ignored: [{ name: 'amt', reason: 'overridden' }] }, {}, 400, 'invalid-field'],
    [{ form: 'main', ignored: [] }, {}, 400, 'invalid-field'],
    [{ form: 'main', segment: 'a\u202eb', ignored: [ignoredSetting] }, {}, 400, 'invalid-field'],
    [
      { form: 'main', ignored: [ignoredSetting], more: 'x'.repeat(9_000) },
      {},
      413,
      'payload-too-large',
    ],
    [
      { form: 'main', ignored: [ignoredSetting] },
      { 'Content-Type': 'text/plain' },
      415,
      'content-type-unsupported',
    ],
  ] as const) {
    const response = await postReport(server, body, headers);
    assert.deepEqual(
      [response.status, (await readProblem(response)).code],
      [status, code],
      JSON.stringify(body).slice(0, 100),
    );
  }
  assert.deepEqual(await listCounts(server), []);
});

test('counts at most 1,000 distinct keys a day in a flood of invented segments', async () => {
  await using server = await startServer();
  for (let index = 0; index < 1_200; index += 1) {
    server.ignoredSettingStats.countIgnoredSettings({
      form: 'main',
      segment: `S${index}`,
      ignored: [ignoredSetting],
    });
    if (index % 600 === 0) await server.ignoredSettingStats.writePendingCounts();
  }
  const items = await listCounts(server);
  assert.equal(items.length, 1_000);
  await postReport(server, { form: 'main', segment: 'S5', ignored: [ignoredSetting] });
  assert.equal((await listCounts(server)).find(({ segment }) => segment === 'S5')?.count, 2);
});

test('counts days separately, and deletes them after 90', async () => {
  let today = Date.UTC(2026, 10, 21);
  await using server = await startServer({ now: () => today });
  server.ignoredSettingStats.countIgnoredSettings({ form: 'main', ignored: [ignoredSetting] });
  await server.ignoredSettingStats.writePendingCounts();
  today += 40 * 86_400_000;
  assert.deepEqual(
    [await listCounts(server), (await listCounts(server, '?days=60')).length],
    [[], 1],
  );
  today += 60 * 86_400_000;
  server.ignoredSettingStats.countIgnoredSettings({
    form: 'main',
    ignored: [{ ...ignoredSetting, name: 'amt' }],
  });
  assert.deepEqual(
    (await listCounts(server, '?days=90')).map(({ name }) => name),
    ['amt'],
  );
  const refused = await server.admin(new Request('http://127.0.0.1/settings-report?days=x'));
  assert.deepEqual(
    [refused.status, await refused.json()],
    [400, { message: "days: found 'x'; expected an integer from 1 to 90" }],
  );
});
