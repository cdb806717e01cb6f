import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { builtScripts, embedOf } from '../../src/server/http/embed-assets.ts';
import { packageVersion } from '../../src/server/lib/package-file.ts';
import { openDesk } from './support.ts';

test('/embed.json names a twin of the script that never changes, with the hash of its bytes', async () => {
  const files = await builtScripts()();
  const embed = embedOf(files)!;
  assert.match(embed.script, /^donation-form\.[\w-]{16}\.js$/);
  assert.equal(files.get(embed.script)?.text, files.get('donation-form.js')?.text);
  assert.equal(
    embed.integrity,
    `sha384-${createHash('sha384').update(files.get('donation-form.js')!.text).digest('base64')}`,
  );
});

test('every site may read /embed.json, and its answer is asked for anew', async () => {
  await using desk = await openDesk();
  const response = await desk.handler.fetch(
    new Request('https://give.example/embed.json', {
      headers: { Origin: 'https://anybody.example' },
    }),
  );
  assert.deepEqual(
    [
      response.status,
      response.headers.get('Access-Control-Allow-Origin'),
      response.headers.get('Cache-Control'),
    ],
    [200, '*', 'no-cache'],
  );
  assert.deepEqual(Object.keys((await response.json()) as object), ['script', 'integrity']);
});

test('the channel of this major leads to the script, and that of another says which one there is', async () => {
  await using desk = await openDesk();
  const ask = async (path: string): Promise<Response> =>
    desk.handler.fetch(
      new Request(`https://give.example/${path}`, {
        headers: { Origin: 'https://anybody.example' },
      }),
    );
  const major = packageVersion().split('.')[0]!;
  const found = await ask(`v${major}/donation-form.js`);
  const other = await ask('v99/donation-form.js');
  assert.deepEqual(
    [
      found.status,
      found.headers.get('Location'),
      found.headers.get('Access-Control-Allow-Origin'),
      found.headers.get('Cache-Control'),
    ],
    [302, '../donation-form.js', '*', 'public, max-age=300'],
  );
  const small = await ask(`v${major}/analytics.js`);
  assert.deepEqual([small.status, await small.text()], [200, 'export {};']);
  assert.equal(other.status, 404);
  assert.match(
    ((await other.json()) as { detail: string }).detail,
    new RegExp(
      `version ${packageVersion()}, so its channel is v${major} and not v99\\. Take v${major}/donation-form\\.js`,
    ),
  );
});
