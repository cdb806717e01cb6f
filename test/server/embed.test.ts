import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { builtScripts, embedOf } from '../../src/server/script.ts';
import { openDesk } from './support.ts';

test('/embed.json names a twin of the script that never changes, with the hash of its bytes', async () => {
  const files = await builtScripts()(), embed = embedOf(files)!;
  assert.match(embed.script, /^donation-form\.[\w-]{16}\.js$/);
  assert.equal(files.get(embed.script)?.text, files.get('donation-form.js')?.text);
  assert.equal(embed.integrity, `sha384-${createHash('sha384').update(files.get('donation-form.js')!.text).digest('base64')}`);
});

test('every site may read /embed.json, and its answer is asked for anew', async () => {
  await using desk = await openDesk();
  const response = await desk.handler.fetch(new Request('https://give.example/embed.json', { headers: { Origin: 'https://anybody.example' } }));
  assert.deepEqual([response.status, response.headers.get('Access-Control-Allow-Origin'), response.headers.get('Cache-Control')], [200, '*', 'no-cache']);
  assert.deepEqual(Object.keys(await response.json() as object), ['script', 'integrity']);
});
