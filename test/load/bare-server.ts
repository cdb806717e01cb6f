/**
 * Minimal servers on the same framework, as a baseline: `echo` returns the request body;
 * `insert FILE` also inserts a row into an SQLite file, each in its own transaction.
 */
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { openBareDatabase } from './bare-insert.ts';

const [mode, file = ''] = process.argv.slice(2);
const app = new Hono();
if (mode === 'echo') {
  app.post('/donations', async (c) =>
    c.body(await c.req.text(), 200, { 'Content-Type': 'application/json' }),
  );
} else {
  const insert = openBareDatabase(file);
  app.post('/donations', async (c) => {
    const body = await c.req.text();
    insert();
    return c.body(body, 200, { 'Content-Type': 'application/json' });
  });
}
const server = createAdaptorServer({ fetch: app.fetch });
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`bare server  http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
