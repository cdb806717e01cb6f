/** Connections to PostgreSQL that break or go silent. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { migrations } from '../../../src/server/database/migrations.ts';
import { openPostgres } from '../../../src/server/database/postgres-database.ts';
import { DonationRepository } from '../../../src/server/donations/donation-repository.ts';
import { waitUntil } from '../../wait-until.ts';
import { startServers } from '../several-servers-support.ts';
import { createIdempotencyKey, readOutcome } from '../support.ts';
import {
  createDatabaseUrl,
  openTestDatabase,
  runInDatabase,
  testOverPostgres as test,
} from '../test-database.ts';
import { measureSilentConnection, openProxy } from './silent-connection.ts';

const END_CONNECTIONS =
  'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() ' +
  'AND pid <> pg_backend_pid()';

test('charges and records each donation at most once while PostgreSQL repeatedly closes every connection', async () => {
  let moved = 0;
  await using fixture = await startServers({ now: () => Date.now() + moved });
  const { servers, database } = fixture;
  const keys = Array.from({ length: 60 }, createIdempotencyKey);
  for (const { handler } of servers) handler.start();
  const giving = Promise.all(
    keys.map(async (key, index) => {
      const server = servers[index % 2]!;
      const request = await server.createRequest({ donor: { email: `${index}@example.org` } });
      await setTimeout(index * 15);
      await waitUntil(async () => {
        const { status } = await server.postDonation(request, { key });
        assert.ok([200, 202, 402, 500, 503].includes(status), String(status));
        return status === 200 || status === 402;
      });
    }),
  );
  for (let end = 0; end < 6; end += 1) {
    await runInDatabase(database, END_CONNECTIONS);
    await setTimeout(150);
  }
  // Servers resume work after a broken call within a minute, so the clock runs faster from here.
  const clock = setInterval(() => {
    moved += 5_000;
  }, 100).unref();
  await giving;
  const outcomes = await Promise.all(
    keys.map(async (key) => readOutcome(await servers[0].fetchOutcome(key))),
  );
  const succeeded = outcomes.filter(({ status }) => status === 'succeeded');
  assert.ok(succeeded.length > 30, String(succeeded.length));
  for (const { reference, status } of outcomes) {
    assert.match(status, /^(succeeded|failed)$/);
    assert.equal((await servers[0].listCharges(reference)).length, status === 'succeeded' ? 1 : 0);
  }
  await waitUntil(async () => (await servers[0].listActivities()).length >= succeeded.length);
  clearInterval(clock);
  assert.equal((await servers[0].listActivities()).length, succeeded.length);
});

test('fails a transaction if its connection breaks, and keeps running', async () => {
  const file = randomUUID();
  await using database = await openTestDatabase(file);
  const repository = new DonationRepository(database);
  await assert.rejects(
    database.writer.write(async (transaction) => {
      await transaction.updateTable('donations').set({ attempts: 0 }).execute();
      await runInDatabase(file, END_CONNECTIONS);
      await setTimeout(50);
      await transaction.selectFrom('donations').selectAll().execute();
    }),
  );
  assert.equal(await repository.findByReference('A'), undefined);
});

test('closes a silent connection and uses a new one for the next statement', async () => {
  await using proxy = await openProxy((await createDatabaseUrl()).DATABASE_URL!);
  const database = await openPostgres(proxy.url, { maxSilence: 2_000 });
  const waited = await measureSilentConnection(database, proxy);
  await database.close();
  assert.ok(waited < 7_000, `${waited} ms`);
});

test('waits at most half a minute for a statement, a lock, or an idle transaction', async () => {
  await using database = await openTestDatabase();
  for (const [name, value] of [
    ['statement_timeout', '25s'],
    ['lock_timeout', '10s'],
    ['idle_in_transaction_session_timeout', '30s'],
  ] as const) {
    assert.deepEqual(
      (await sql`SELECT current_setting(${name}) AS value`.execute(database.db)).rows,
      [{ value }],
    );
  }
});

/** Removes settings from PostgreSQL's startup message, as PgBouncer's ignore_startup_parameters does. */
function removeSettings(message: Buffer, ignored: readonly string[]): Buffer {
  const texts = message.toString('latin1', 8).split('\0');
  const kept = texts.filter((_, index) => !ignored.includes(texts[index - (index % 2)]!));
  const body = Buffer.from(kept.join('\0'), 'latin1');
  const head = Buffer.from(message.subarray(0, 8));
  head.writeInt32BE(head.length + body.length);
  return Buffer.concat([head, body]);
}

test('does not start behind a connection pooler that ignores a timeout, unless the role has one', async () => {
  const { DATABASE_URL: url } = await createDatabaseUrl();
  const ignored = ['lock_timeout', 'statement_timeout'];
  await using proxy = await openProxy(url!, (message) => removeSettings(message, ignored));
  await assert.rejects(openPostgres(proxy.url), (error: Error) => {
    assert.match(
      error.message,
      /: statement_timeout is 0, because .* run "ALTER ROLE CURRENT_USER SET statement_timeout = 25000"/,
    );
    return true;
  });
  await using database = await openTestDatabase();
  const name = new URL(url!).pathname.slice(1);
  for (const setting of ignored)
    await sql`ALTER DATABASE ${sql.id(name)} SET ${sql.raw(setting)} = 9000`.execute(database.db);
  await (await openPostgres(proxy.url)).close();
});

test('migrates and waits for migrations of another server despite the timeouts and isolation level of the role', async () => {
  const { DATABASE_URL: url } = await createDatabaseUrl();
  const timeouts = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
  await using proxy = await openProxy(url!, (message) => removeSettings(message, timeouts));
  await using admin = await openTestDatabase();
  const role = `short_timeouts_${randomUUID()}`;
  await sql`CREATE ROLE ${sql.id(role)} LOGIN`.execute(admin.db);
  for (const timeout of timeouts)
    await sql`ALTER ROLE ${sql.id(role)} SET ${sql.raw(timeout)} = 2000`.execute(admin.db);
  const isolation = sql`default_transaction_isolation = 'repeatable read'`;
  await sql`ALTER ROLE ${sql.id(role)} SET ${isolation}`.execute(admin.db);
  const name = new URL(url!).pathname.slice(1);
  await sql`ALTER DATABASE ${sql.id(name)} OWNER TO ${sql.id(role)}`.execute(admin.db);
  const roleUrl = Object.assign(new URL(proxy.url), { username: role }).href;
  let runs = 0;
  const slowMigration: Migration = {
    up: async (db) => {
      runs += 1;
      await sql`SELECT pg_sleep(2.5)`.execute(db);
    },
  };
  const changedMigrations = migrations as Record<string, Migration>;
  changedMigrations['9999-slow'] = slowMigration;
  const servers = await Promise.all([openPostgres(roleUrl), openPostgres(roleUrl)]).finally(() => {
    delete changedMigrations['9999-slow'];
  });
  assert.equal(runs, 1);
  for (const server of servers) {
    const { rows } = await sql`SHOW statement_timeout`.execute(server.db.withoutPlugins());
    assert.deepEqual(rows, [{ statement_timeout: '2s' }]);
    await server.close();
  }
});
