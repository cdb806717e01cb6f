/**
 * What this server's accept is compared with, on the same framework: `echo` answers the body that
 * came; `insert FILE` keeps a row in an SQLite file, one transaction each, and answers it.
 */
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { openBareDatabase } from './bare-insert.ts';

const [kind, file = ''] = process.argv.slice(2);
const app = new Hono();
if (kind === 'echo') {
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
