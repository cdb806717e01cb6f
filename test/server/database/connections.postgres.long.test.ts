import assert from 'node:assert/strict';
import { openPostgres } from '../../../src/server/database/postgres-database.ts';
import { createDatabaseUrl, testOverPostgres as test } from '../test-database.ts';
import { measureSilentConnection, openProxy } from './silent-connection.ts';

test('closes a silent connection within about half a minute', async () => {
  await using proxy = await openProxy((await createDatabaseUrl()).DATABASE_URL!);
  const database = await openPostgres(proxy.url);
  const waited = await measureSilentConnection(database, proxy);
  await database.close();
  assert.ok(waited < 35_000, `${waited} ms`);
});
