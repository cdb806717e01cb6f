import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { loadConfiguration, serve } from '../../../src/server/index.ts';
import { findFreePort } from '../loopback.ts';
import { createTestEnvironment, KEYS, readDemoOrganization } from '../test-environment.ts';
import { getCommandThread } from './support.ts';

const thread = getCommandThread(KEYS);
const DAY = 86_400_000;
const formatDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Makes 1,001 donations of 50 pounds with a declaration, two days ago, from one donation. */
function copyDonation(file: string): void {
  using database = new DatabaseSync(file);
  const giftAid = JSON.stringify({
    scope: 'single',
    text: 'Yes',
    house: '=1+1',
    postcode: 'S19 2BD',
  });
  const at = Date.now() - 2 * DAY;
  database.exec(`
    UPDATE donations SET created_at = ${at}, payload = json_set(payload,
      '$.gift.currency', 'GBP', '$.isTest', json('false'), '$.giftAid', json('${giftAid}'));
    UPDATE outbox SET created_at = ${at}, happened_at = ${at};
    WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000)
    INSERT INTO donations (reference, idempotency_key_hash, fingerprint, organization, status,
      payload, attempts, charge_started_at, next_run_at, created_at, updated_at)
    SELECT reference || n, idempotency_key_hash || n, fingerprint, organization, status, payload,
      0, 0, next_run_at, created_at, updated_at FROM donations, numbers;
    INSERT INTO outbox (id, organization, reference, kind, status, payload, attempts, next_run_at,
      happened_at, created_at, updated_at)
    SELECT 'donation ' || reference, organization, reference, 'donation', 'delivered', '{}', 0, 0,
      created_at, created_at, created_at FROM donations
    WHERE reference NOT IN (SELECT reference FROM outbox)`);
}

test('gift-aid claim writes at most 1,000 rows per file, without formulas, and prints the total', async () => {
  const [form] = (await readDemoOrganization()).forms;
  await using environment = await createTestEnvironment({ organization: { forms: [form] } });
  const { config, folder } = environment;
  await environment.writeConfiguration({
    admin: { port: await findFreePort(), key: { env: 'ADMIN_KEY' } },
  });
  const server = await serve({
    configuration: await loadConfiguration(config),
    environment: KEYS,
  });
  try {
    await environment.donate(server.url);
    copyDonation(join(folder, 'donations.sqlite'));
    const day = formatDay(Date.now() - 2 * DAY);
    const output = join(folder, 'claim.csv');
    const run = (...words: string[]) =>
      thread.run('gift-aid', 'claim', ...words, '--config', config);
    const { status, stderr } = await run('--from', day, '--to', day, '--output', output);
    assert.deepEqual([status, stderr], [0, '1001 rows, GBP 50050.00 in total.\n']);
    const files = await Promise.all(
      [output, join(folder, 'claim-2.csv')].map((file) => readFile(file, 'utf8')),
    );
    const rows = files.map((text) => parse(text, { bom: true }));
    assert.deepEqual(
      rows.map((lines) => lines.length),
      [1 + 1_000, 1 + 1],
    );
    const [year, month, date] = day.split('-');
    assert.deepEqual(rows[1]![1]!.slice(3), [
      "'=1+1",
      'S19 2BD',
      '',
      '',
      `${date}/${month}/${year!.slice(2)}`,
      '50.00',
    ]);
    const today = formatDay(Date.now());
    const early = await run('--from', day, '--to', today);
    assert.equal(early.status, 1);
    assert.match(early.stderr, /but that day is not over/);
  } finally {
    await server.close();
  }
});
