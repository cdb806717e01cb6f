import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { createAssetLoader, getEmbedValues } from '../../../src/server/http/embed-assets.ts';
import { readPackageVersion } from '../../../src/server/lib/package-file.ts';
import { startServer } from '../support.ts';
import { openTestDatabase } from '../test-database.ts';
import { createScriptApp } from './script-app.ts';

test('/embed.json contains the immutable URL of the script and its integrity hash', async () => {
  const files = await createAssetLoader()();
  const embed = getEmbedValues(files)!;
  assert.match(embed.script, /^donation-form\.[\w-]{16}\.js$/);
  assert.equal(files.get(embed.script)?.text, files.get('donation-form.js')?.text);
  assert.equal(
    embed.integrity,
    `sha384-${createHash('sha384').update(files.get('donation-form.js')!.text).digest('base64')}`,
  );
});

test('allows every site to read /embed.json, and makes caches revalidate it', async () => {
  await using server = await startServer();
  const response = await server.fetch('/embed.json', {
    headers: { Origin: 'https://anybody.example' },
  });
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

test("redirects this major version's path to the script, and responds with 404 for other versions", async () => {
  await using server = await startServer();
  const fetchAsset = (path: string): Promise<Response> =>
    server.fetch(`/${path}`, { headers: { Origin: 'https://anybody.example' } });
  const major = readPackageVersion().split('.')[0]!;
  const found = await fetchAsset(`v${major}/donation-form.js`);
  const other = await fetchAsset('v99/donation-form.js');
  assert.deepEqual(
    [
      found.status,
      found.headers.get('Location'),
      found.headers.get('Access-Control-Allow-Origin'),
      found.headers.get('Cache-Control'),
    ],
    [302, '../donation-form.js', '*', 'public, max-age=300'],
  );
  const small = await fetchAsset(`v${major}/analytics.js`);
  assert.deepEqual([small.status, await small.text()], [200, 'export {};']);
  assert.equal(other.status, 404);
  assert.match(
    ((await other.json()) as { detail: string }).detail,
    new RegExp(
      `version ${readPackageVersion()}, which has no v99 channel\\. Use v${major}/donation-form\\.js`,
    ),
  );
});

test('serves the licenses of the code that the scripts include', async () => {
  await using database = await openTestDatabase();
  const { app, loadAssets } = createScriptApp(database);
  const [, file] = /licenses: (\S+)/.exec((await loadAssets()).get('donation-form.js')!.text)!;
  const response = await app.request(`/${file}`);
  assert.equal(response.headers.get('Content-Type'), 'text/plain; charset=utf-8');
  assert.match(await response.text(), /^lit-html [\d.]+ \(BSD-3-Clause\)$/m);
});
