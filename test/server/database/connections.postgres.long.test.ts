import assert from 'node:assert/strict';
import { openPostgres } from '../../../src/server/database/database.ts';
import { openProxy, waitOnSilentConnection } from './silent-connection.ts';
import { databaseUrl, testOverPostgres as test } from '../test-database.ts';

test('a connection that has gone silent is given up within about half a minute', async () => {
  await using proxy = await openProxy((await databaseUrl()).DATABASE_URL!);
  const database = await openPostgres(proxy.url);
  const waited = await waitOnSilentConnection(database, proxy);
  await database.close();
  assert.ok(waited < 35_000, `${waited} ms`);
});
