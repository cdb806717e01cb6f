import assert from 'node:assert/strict';
import { startServer } from '../support.ts';
import { testOverPostgres as test } from '../test-database.ts';

test('exposes no free disk space with PostgreSQL, whose disk the server cannot access', async () => {
  await using server = await startServer();
  const { text } = await server.scrape();
  assert.doesNotMatch(text, /^donation_form_database_free_bytes /m);
});
