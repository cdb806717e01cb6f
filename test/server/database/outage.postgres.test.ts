/** PostgreSQL that is down while the server runs, or when it starts. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { loadConfiguration } from '../../../src/server/config/load-configuration.ts';
import { isDatabaseUnreachable } from '../../../src/server/database/database-error.ts';
import { openPostgres } from '../../../src/server/database/postgres-database.ts';
import { serve } from '../../../src/server/serve.ts';
import { startPostgres } from '../../postgres.ts';
import { waitUntil } from '../../wait-until.ts';
import { createIdempotencyKey, readProblem } from '../support.ts';
import { testOverPostgres as test } from '../test-database.ts';

const ORIGIN = 'http://127.0.0.1:4100';
const { organizations } = await loadConfiguration('demo/donation-form.config.json');

async function startServer(url: string, folder: string, databaseTimeout?: number) {
  return serve({
    configuration: {
      listen: { host: '127.0.0.1', port: 0, trustedProxies: 0, maxConcurrentCharges: 256 },
      database: join(folder, 'unused.sqlite'),
      organizations,
    },
    environment: {
      FUNDRAISING_API_KEY: 'a',
      PAYMENT_SECRET_KEY: 'sk_test_b',
      PAYMENT_WEBHOOK_SECRET: 'whsec_c',
      LOG_LEVEL: 'silent',
      DATABASE_URL: url,
    },
    ...(databaseTimeout !== undefined && { databaseTimeout }),
  });
}

test('asks clients of every route that needs the database to retry later while PostgreSQL is down', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const postgres = await startPostgres();
  const server = await startServer(postgres.url, folder);
  const form = await fetch(`${server.url}/form`);
  const { id, projects } = (await form.json()) as { id: string; projects: [{ id: string }] };
  const donation = {
    version: 1,
    definition: form.headers.get('ETag'),
    donor: { firstName: 'Ana', lastName: 'Souza', email: 'ana@example.org' },
    gift: {
      amount: 5_000,
      currency: 'USD',
      frequency: 'once',
      coverCosts: false,
      coveredFees: 0,
      total: 5_000,
      projects: [{ id: projects[0].id, amount: 5_000 }],
    },
    payment: { provider: 'stripe', method: 0, token: 'ctoken_1' },
    form: { id, page: `${ORIGIN}/`, language: 'en' },
  };
  const sendRequest = (path: string, body?: object): Promise<Response> =>
    fetch(server.url + path, {
      headers: {
        'Content-Type': 'application/json',
        'Idempotency-Key': createIdempotencyKey(),
        Origin: ORIGIN,
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
  const requests: (() => Promise<Response>)[] = [
    () => sendRequest('/donations', donation),
    () => sendRequest('/donations'),
    () => sendRequest('/donations/confirm', {}),
    () => sendRequest('/donations/cancel', {}),
    () => sendRequest('/donation-form.0123456-de.js'),
  ];
  await postgres.killServer();
  for (const request of requests) {
    const response = await request();
    assert.deepEqual(
      [response.status, response.headers.get('Retry-After'), (await readProblem(response)).code],
      [503, '5', 'unavailable'],
      response.url,
    );
  }
  await postgres.restart();
  await waitUntil(async () => (await sendRequest('/donations')).status === 404);
  await server.close();
  postgres.stop();
  await rm(folder, { recursive: true });
});

test('distinguishes a PostgreSQL server that is down from one that rejects a statement', async () => {
  const postgres = await startPostgres();
  const { db, writer, close } = await openPostgres(postgres.url);
  const write = (statement: string): Promise<unknown> =>
    writer.write((transaction) => sql.raw(statement).execute(transaction));
  await assert.rejects(write('SELECT 1 / 0'), (error) => !isDatabaseUnreachable(error));
  const interrupted = assert.rejects(write('SELECT pg_sleep(60)'), isDatabaseUnreachable);
  await waitUntil(async () => {
    const { rows } = await sql`
      SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query = 'SELECT pg_sleep(60)'
    `.execute(db);
    return rows.length > 0;
  });
  await postgres.killServer();
  await interrupted;
  await assert.rejects(write('SELECT 1'), isDatabaseUnreachable);
  await close();
  postgres.stop();
});

test('waits for PostgreSQL when it starts, and gives up with a message after a while', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const postgres = await startPostgres();
  await postgres.killServer();
  await assert.rejects(startServer(postgres.url, folder, 700), /does not respond.*DATABASE_URL/);
  const starting = startServer(postgres.url, folder);
  starting.catch(() => undefined);
  await setTimeout(1_500);
  await postgres.restart();
  const server = await starting;
  assert.equal((await fetch(`${server.url}/form`)).status, 200);
  await server.close();
  postgres.stop();
  await rm(folder, { recursive: true });
});
