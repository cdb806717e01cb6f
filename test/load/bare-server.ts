/**
 * Minimal servers on the same framework, as baselines. Each parses the request body as JSON and
 * returns it: `echo` does nothing else; `insert FILE` also inserts a row into an SQLite file, in its
 * own transaction; `group FILE` inserts the rows of concurrent requests in one transaction, and
 * `thread FILE` does so in another thread; `postgres URL` inserts a row with one statement.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setImmediate as waitForNextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { Pool } from 'pg';
import { openBareDatabase } from './bare-insert.ts';

type Store = (body: unknown) => Promise<void> | void;

const STORES: Readonly<Record<string, (target: string) => Promise<Store> | Store>> = {
  echo: () => () => undefined,
  insert: (file) => openBareDatabase(file).insert,
  group: createGroupCommit,
  thread: createThreadCommit,
  postgres: createPostgresInsert,
};

const [mode = '', target = ''] = process.argv.slice(2);
const store = await STORES[mode]!(target);
const app = new Hono();
app.post('/donations', async (c) => {
  const body: unknown = await c.req.json();
  await store(body);
  return c.json(body, 202);
});
const formText = 'x'.repeat(1_684);
app.get('/form', (c) =>
  c.body(formText, 200, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-cache',
    ETag: '"x"',
  }),
);
const server = createAdaptorServer({ fetch: app.fetch });
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`bare server  http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});

function createGroupCommit(file: string): Store {
  const { database, insert } = openBareDatabase(file);
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  let waiting: (() => void)[] | undefined;
  return () =>
    new Promise<void>((resolve) => {
      if (!waiting) {
        const group: (() => void)[] = [];
        waiting = group;
        setImmediate(() => {
          waiting = undefined;
          begin.run();
          group.forEach(insert);
          commit.run();
          for (const complete of group) complete();
        });
      }
      waiting.push(resolve);
    });
}

/** Sends the rows of concurrent requests to a thread. While it commits, the next rows wait. */
function createThreadCommit(file: string): Store {
  const thread = new Worker(new URL('bare-insert-thread.ts', import.meta.url), {
    workerData: file,
  });
  let waiting: { readonly body: unknown; readonly complete: () => void }[] = [];
  let isCommitting = false;
  const commitGroups = async (): Promise<void> => {
    isCommitting = true;
    while (waiting.length > 0) {
      await waitForNextTurn();
      const group = waiting;
      waiting = [];
      thread.postMessage(group.map(({ body }) => body));
      await once(thread, 'message');
      for (const { complete } of group) complete();
    }
    isCommitting = false;
  };
  return (body) =>
    new Promise<void>((complete) => {
      waiting.push({ body, complete });
      if (!isCommitting) void commitGroups();
    });
}

async function createPostgresInsert(connectionString: string): Promise<Store> {
  const pool = new Pool({ connectionString, max: 10 });
  await pool.query(
    'CREATE TABLE IF NOT EXISTS bare (key text PRIMARY KEY, body text NOT NULL, at bigint NOT NULL)',
  );
  return async (body) => {
    await pool.query({
      name: 'insert',
      text: 'INSERT INTO bare VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      values: [randomUUID(), JSON.stringify(body), Date.now()],
    });
  };
}
