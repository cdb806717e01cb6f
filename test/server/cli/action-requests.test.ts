import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ACTION_ROUTES, type ActionName } from '../../../src/server/admin/actions/action-routes.ts';
import { callServer } from '../../../src/server/cli/admin-client.ts';
import { listen } from '../../../src/server/http/listen.ts';
import { LOOPBACK } from '../loopback.ts';
import { createFolder } from '../temporary-folder.ts';

test('the command sends each action to the route that checks its permission, and shows a refusal', async () => {
  const received: string[] = [];
  const server = await listen((request) => {
    received.push(`${request.method} ${new URL(request.url).pathname}`);
    return Response.json({ message: 'None of your roles lets you do this.' }, { status: 403 });
  }, LOOPBACK);
  const configuration = JSON.parse(
    readFileSync('demo/donation-form.config.json', 'utf8'),
  ) as object;
  const file = join(createFolder(), 'donation-form.config.json');
  const admin = { host: '127.0.0.1', port: Number(new URL(server.url).port) };
  writeFileSync(file, JSON.stringify({ ...configuration, admin }));
  for (const [name, { method, path }] of Object.entries(ACTION_ROUTES)) {
    await assert.rejects(
      callServer(file, name as ActionName, { reference: 'a', id: 'a' }),
      /None of your roles lets you do this/,
    );
    assert.equal(received.at(-1), `${method} ${path.replace(/:\w+/, 'a')}`);
  }
  await server.close();
});
