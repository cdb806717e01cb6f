/** PostgreSQL that is down while the server runs, or when it starts. */
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { FormDefinition } from '../../../src/core/schemas/form-definition.ts';
import { isDatabaseUnreachable } from '../../../src/server/database/database-error.ts';
import { openPostgres } from '../../../src/server/database/postgres-database.ts';
import { serve } from '../../../src/server/serve.ts';
import { type Postgres, startPostgres } from '../../postgres.ts';
import { waitUntil } from '../../wait-until.ts';
import { LOOPBACK } from '../loopback.ts';
import { configuration, createIdempotencyKey, readProblem } from '../support.ts';
import { testOverPostgres as test } from '../test-database.ts';
import { buildDonationRequest, KEYS, ORIGIN } from '../test-environment.ts';

let started: Promise<Postgres> | undefined;
/** Returns a server for all tests of this file, which stops at the end of the process. */
const getPostgres = (): Promise<Postgres> => (started ??= startPostgres());

async function startServer(url: string, databaseTimeout?: number) {
  return serve({
    configuration: {
      ...configuration,
      listen: { ...configuration.listen, ...LOOPBACK },
      admin: undefined,
      database: '/nowhere/unused.sqlite',
    },
    environment: { ...KEYS, LOG_LEVEL: 'silent', DATABASE_URL: url },
    ...(databaseTimeout !== undefined && { databaseTimeout }),
  });
}

test('asks clients of every route that needs the database to retry later while PostgreSQL is down', async () => {
  const postgres = await getPostgres();
  const server = await startServer(postgres.url);
  const form = await fetch(`${server.url}/form`);
  const donation = buildDonationRequest(
    (await form.json()) as FormDefinition,
    form.headers.get('ETag')!,
    'ctoken_1',
  );
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
});

test('distinguishes a PostgreSQL server that is down from one that rejects a statement', async () => {
  const postgres = await getPostgres();
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
  await postgres.restart();
});

test('waits for PostgreSQL when it starts, and gives up with a message after a while', async () => {
  const postgres = await getPostgres();
  await postgres.killServer();
  await assert.rejects(startServer(postgres.url, 700), /does not respond.*DATABASE_URL/);
  const starting = startServer(postgres.url);
  starting.catch(() => undefined);
  await setTimeout(1_500);
  await postgres.restart();
  const server = await starting;
  assert.equal((await fetch(`${server.url}/form`)).status, 200);
  await server.close();
});
