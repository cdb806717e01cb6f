import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SettingsReport } from '../../../src/core/schemas/settings-report.ts';
import { ORIGIN, readJson, readProblem, startServer, type TestServer } from '../support.ts';

const ignoredSetting = { name: 'fund-code', reason: 'not-offered' } as const;
const report = { form: 'main', ignored: [ignoredSetting] };
const postReport = (server: TestServer, body: unknown, headers = {}): Promise<Response> =>
  server.fetch('/settings-report', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', Origin: ORIGIN, ...headers },
  });
const fetchCounts = async (server: TestServer, query = ''): Promise<Response> =>
  server.admin(new Request(`http://127.0.0.1/settings-report${query}`));
const listCounts = async (server: TestServer, query?: string) =>
  (await readJson<{ items: Record<string, unknown>[] }>(fetchCounts(server, query))).items;

test('counts ignored settings by form, name, reason, and segment, and lists them only on the admin listener', async () => {
  await using server = await startServer({ now: () => Date.UTC(2026, 10, 21, 12) });
  const body: SettingsReport = {
    form: 'main',
    segment: 'MAIL26',
    ignored: [ignoredSetting, { name: 'amt', reason: 'invalid' }],
  };
  for (let times = 0; times < 3; times += 1)
    assert.equal((await postReport(server, body)).status, 204);
  await postReport(server, report);
  const day = { form: 'main', lastDay: '2026-11-21' };
  assert.deepEqual(await listCounts(server), [
    { ...day, name: 'amt', reason: 'invalid', segment: 'MAIL26', count: 3 },
    { ...day, ...ignoredSetting, segment: 'MAIL26', count: 3 },
    { ...day, ...ignoredSetting, segment: '', count: 1 },
  ]);
  assert.equal((await server.fetch('/settings-report')).status, 405);
});

test('rejects an invalid report, and saves nothing', async () => {
  await using server = await startServer();
  for (const [status, code, change, headers] of [
    [403, 'origin-not-allowed', {}, { Origin: 'https://other.example' }],
    [404, 'form-not-found', { form: 'none' }],
    [400, 'invalid-field', { ignored: [{ name: 'ana@example.org', reason: 'invalid' }] }],
    [400, 'unknown-field', { ignored: [{ ...ignoredSetting, value: 'WATTER' }] }],
    [400, 'invalid-field', { ignored: [{ name: 'amt', reason: 'overridden' }] }],
    [400, 'invalid-field', { ignored: [] }],
    [400, 'invalid-field', { segment: 'a\u202eb' }],
    [413, 'payload-too-large', { more: 'x'.repeat(9_000) }],
    [415, 'content-type-unsupported', {}, { 'Content-Type': 'text/plain' }],
  ] as const) {
    const response = await postReport(server, { ...report, ...change }, headers);
    assert.deepEqual(
      [response.status, (await readProblem(response)).code],
      [status, code],
      JSON.stringify(change).slice(0, 100),
    );
  }
  assert.deepEqual(await listCounts(server), []);
});

test('counts at most 1,000 distinct keys a day in a flood of invented segments', async () => {
  await using server = await startServer();
  for (let index = 0; index < 1_200; index += 1) {
    server.ignoredSettingStats.countIgnoredSettings({ ...report, segment: `S${index}` });
    if (index % 600 === 0) await server.ignoredSettingStats.writePendingCounts();
  }
  const items = await listCounts(server);
  assert.equal(items.length, 1_000);
  await postReport(server, { ...report, segment: 'S5' });
  assert.equal((await listCounts(server)).find(({ segment }) => segment === 'S5')?.count, 2);
});

test('counts days separately, and deletes them after 90', async () => {
  let today = Date.UTC(2026, 10, 21);
  await using server = await startServer({ now: () => today });
  server.ignoredSettingStats.countIgnoredSettings(report);
  await server.ignoredSettingStats.writePendingCounts();
  today += 40 * 86_400_000;
  assert.deepEqual(
    [await listCounts(server), (await listCounts(server, '?days=60')).length],
    [[], 1],
  );
  today += 60 * 86_400_000;
  const ignored = [{ ...ignoredSetting, name: 'amt' }];
  server.ignoredSettingStats.countIgnoredSettings({ form: 'main', ignored });
  assert.deepEqual(
    (await listCounts(server, '?days=90')).map(({ name }) => name),
    ['amt'],
  );
  const refused = await fetchCounts(server, '?days=x');
  assert.deepEqual(
    [refused.status, await refused.json()],
    [400, { message: "days: found 'x'; expected an integer from 1 to 90" }],
  );
});
