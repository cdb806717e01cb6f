import assert from 'node:assert/strict';
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Database } from '../../../src/server/database/database.ts';
import { AssetArchive } from '../../../src/server/http/asset-archive.ts';
import { createRouter } from '../../../src/server/http/context.ts';
import {
  type AssetLoader,
  createAssetLoader,
  type Embed,
  getEmbedValues,
} from '../../../src/server/http/embed-assets.ts';
import { addScriptRoutes } from '../../../src/server/http/routes/scripts.ts';
import { createLogger } from '../../../src/server/lib/logger.ts';
import type { Problem } from '../../../src/server/lib/problem.ts';
import { createFolder } from '../temporary-folder.ts';
import { openTestDatabase } from '../test-database.ts';

const DAY = 86_400_000;

interface Server extends Disposable {
  readonly embed: Embed;
  readonly get: (path: string) => Promise<Response>;
}

/** Creates a build folder with a chunk and a script of one release. */
async function createBuild(release: string): Promise<string> {
  const folder = createFolder();
  await mkdir(join(folder, 'pages'));
  for (const name of await readdir('dist/donation-form/scripts'))
    if (/^(attribution|donation-form\.[\w-]+-de)\.js$/.test(name))
      await copyFile(join('dist/donation-form/scripts', name), join(folder, name));
  await writeFile(join(folder, 'donation-form.js'), `export const release = '${release}';`);
  await writeFile(join(folder, `donation-form.${release}-chunk.js`), `// chunk of ${release}`);
  return folder;
}

/** Creates an archive of the scripts that a function loads, and the lines that it logs. */
function createArchive(database: Database, loadAssets: AssetLoader, now = Date.now) {
  const lines: string[] = [];
  const log = createLogger('info', { write: (line) => lines.push(line) });
  return { assetArchive: new AssetArchive({ database, loadAssets, now, log }), lines };
}

async function startServer(database: Database, folder: string, now = Date.now): Promise<Server> {
  const loadAssets = createAssetLoader(folder);
  const { assetArchive } = createArchive(database, loadAssets, now);
  await assetArchive.startArchiving();
  const app = createRouter().onError((error) => (error as Problem).toResponse('request'));
  addScriptRoutes(app, { loadAssets, assetArchive });
  return {
    embed: getEmbedValues(await loadAssets())!,
    get: async (path) => app.request(`/${path}`),
    [Symbol.dispose]: () => void assetArchive.stopArchiving(),
  };
}

test('serves the chunks and the pinned script of the previous release after an upgrade', async () => {
  await using database = await openTestDatabase();
  const [one, two] = [await createBuild('one'), await createBuild('two')];
  let pinned: string;
  {
    using server = await startServer(database, one);
    pinned = server.embed.script;
  }
  await rm(one, { recursive: true });
  using server = await startServer(database, two);
  const chunk = await server.get('donation-form.one-chunk.js');
  const script = await server.get(pinned);
  assert.deepEqual([chunk.status, await chunk.text()], [200, '// chunk of one']);
  assert.deepEqual([script.status, await script.text()], [200, "export const release = 'one';"]);
  assert.notEqual(server.embed.script, pinned);
  for (const { headers } of [chunk, script]) {
    assert.deepEqual(
      [
        headers.get('Cache-Control'),
        headers.get('Access-Control-Allow-Origin'),
        headers.get('Content-Type'),
      ],
      ['public, max-age=31536000, immutable', '*', 'text/javascript; charset=utf-8'],
    );
  }
  assert.equal(
    await (await server.get('donation-form.js')).text(),
    "export const release = 'two';",
  );
});

test("during a rolling upgrade, serves the chunks of the other server's release", async () => {
  const [one, two] = [await createBuild('one'), await createBuild('two')];
  const shared = join(one, 'database.sqlite');
  await using database = await openTestDatabase(shared);
  await using other = await openTestDatabase(shared);
  using older = await startServer(database, one);
  assert.equal((await older.get('donation-form.two-chunk.js')).status, 404);
  using newer = await startServer(other, two);
  for (const server of [older, newer]) {
    for (const name of [
      'donation-form.one-chunk.js',
      'donation-form.two-chunk.js',
      older.embed.script,
      newer.embed.script,
    ])
      assert.equal((await server.get(name)).status, 200, name);
  }
});

test('never changes a file with a content hash', async () => {
  await using database = await openTestDatabase();
  const [one, two] = [await createBuild('one'), await createBuild('one')];
  await writeFile(join(two, 'donation-form.one-chunk.js'), '// other bytes');
  (await startServer(database, one))[Symbol.dispose]();
  (await startServer(database, two))[Symbol.dispose]();
  const three = await createBuild('three');
  using server = await startServer(database, three);
  assert.equal(await (await server.get('donation-form.one-chunk.js')).text(), '// chunk of one');
});

test("deletes a release's files 180 days after its last server, but not while one runs", async () => {
  await using database = await openTestDatabase();
  const [one, two] = [await createBuild('one'), await createBuild('two')];
  let time = Date.UTC(2026, 0, 1);
  const listChunkNames = async (): Promise<string[]> =>
    (await database.db.selectFrom('archivedAssets').select('name').execute())
      .map(({ name }) => name)
      .filter((name) => name.includes('chunk'))
      .sort();
  (await startServer(database, one, () => time))[Symbol.dispose]();
  time += 150 * DAY;
  (await startServer(database, one, () => time))[Symbol.dispose]();
  time += 179 * DAY;
  (await startServer(database, two, () => time))[Symbol.dispose]();
  assert.deepEqual(await listChunkNames(), [
    'donation-form.one-chunk.js',
    'donation-form.two-chunk.js',
  ]);
  time += 2 * DAY;
  (await startServer(database, two, () => time))[Symbol.dispose]();
  assert.deepEqual(await listChunkNames(), ['donation-form.two-chunk.js']);
});

test('starts even if the build cannot be read, and logs that', async () => {
  await using database = await openTestDatabase();
  const { assetArchive, lines } = createArchive(database, createAssetLoader('/nowhere'));
  await assetArchive.startArchiving();
  await assetArchive.stopArchiving();
  assert.match(lines.join(''), /cannot archive this release's script files/);
});

test('archives nothing from a build without hashed files', async () => {
  await using database = await openTestDatabase();
  const { assetArchive, lines } = createArchive(database, async () => new Map());
  await assetArchive.startArchiving();
  await assetArchive.stopArchiving();
  assert.deepEqual(lines, []);
});

test('finishes archiving before it stops', async () => {
  await using database = await openTestDatabase();
  const { assetArchive } = createArchive(database, createAssetLoader(await createBuild('one')));
  void assetArchive.startArchiving();
  await assetArchive.stopArchiving();
  assert.ok(await assetArchive.findFile('donation-form.one-chunk.js'));
});
