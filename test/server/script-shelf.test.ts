import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pino } from 'pino';
import type { Problem } from '../../src/server/lib/problem.ts';
import { scriptRoutes } from '../../src/server/http/routes/scripts.ts';
import { builtScripts, embedOf, type Embed } from '../../src/server/http/embed-assets.ts';
import { AssetArchive } from '../../src/server/http/asset-archive.ts';
import type { Database } from '../../src/server/database/database.ts';
import { openTestStore } from './store.ts';

const DAY = 86_400_000;

interface Server extends Disposable {
  readonly embed: Embed;
  readonly get: (path: string) => Promise<Response>;
}

/** A folder of built files: those of this build, with a late part and a script of one release. */
async function build(release: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-build-'));
  await mkdir(join(folder, 'pages'));
  for (const name of await readdir('dist/donation-form/scripts'))
    if (/^(attribution|donation-form\.[\w-]+-de)\.js$/.test(name))
      await copyFile(join('dist/donation-form/scripts', name), join(folder, name));
  await writeFile(join(folder, 'donation-form.js'), `export const release = '${release}';`);
  await writeFile(join(folder, `donation-form.${release}-late.js`), `// late part of ${release}`);
  return folder;
}

async function start(
  store: Database,
  folder: string,
  now = Date.now,
  log: string[] = [],
): Promise<Server> {
  const scripts = builtScripts(folder);
  const assetArchive = new AssetArchive({
    store,
    scripts,
    now,
    log: pino(
      {},
      {
        write: (line: string) => {
          log.push(line);
        },
      },
    ),
  });
  await assetArchive.start();
  const app = scriptRoutes({ scripts, assetArchive }).onError((error) =>
    (error as Problem).toResponse('request'),
  );
  return {
    embed: embedOf(await scripts())!,
    get: async (path) => app.request(`/${path}`),
    [Symbol.dispose]: () => {
      assetArchive.stop();
    },
  };
}

test('after an upgrade the parts and the pinned script of the release before still come, unchanged and for good', async () => {
  await using store = await openTestStore();
  const [one, two] = [await build('one'), await build('two')];
  let pinned: string;
  {
    using server = await start(store, one);
    pinned = server.embed.script;
  }
  await rm(one, { recursive: true });
  using server = await start(store, two);
  const late = await server.get('donation-form.one-late.js');
  const script = await server.get(pinned);
  assert.deepEqual([late.status, await late.text()], [200, '// late part of one']);
  assert.deepEqual([script.status, await script.text()], [200, "export const release = 'one';"]);
  assert.notEqual(server.embed.script, pinned);
  for (const { headers } of [late, script]) {
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
  await rm(two, { recursive: true });
});

test("while servers are replaced one by one, each serves the parts of the other's release", async () => {
  const [one, two] = [await build('one'), await build('two')];
  const shared = join(one, 'store.sqlite');
  await using store = await openTestStore(shared);
  await using other = await openTestStore(shared);
  using older = await start(store, one);
  assert.equal((await older.get('donation-form.two-late.js')).status, 404);
  using newer = await start(other, two);
  for (const server of [older, newer]) {
    for (const name of [
      'donation-form.one-late.js',
      'donation-form.two-late.js',
      older.embed.script,
      newer.embed.script,
    ])
      assert.equal((await server.get(name)).status, 200, name);
  }
  await Promise.all([one, two].map((folder) => rm(folder, { recursive: true })));
});

test('a name that holds a hash keeps its first bytes', async () => {
  await using store = await openTestStore();
  const [one, two] = [await build('one'), await build('one')];
  await writeFile(join(two, 'donation-form.one-late.js'), '// other bytes');
  (await start(store, one))[Symbol.dispose]();
  (await start(store, two))[Symbol.dispose]();
  const three = await build('three');
  using server = await start(store, three);
  assert.equal(await (await server.get('donation-form.one-late.js')).text(), '// late part of one');
  await Promise.all([one, two, three].map((folder) => rm(folder, { recursive: true })));
});

test("a release's files go half a year after its last server, and not while one runs", async () => {
  await using store = await openTestStore();
  const [one, two] = [await build('one'), await build('two')];
  let time = Date.UTC(2026, 0, 1);
  const names = async (): Promise<string[]> =>
    (await store.db.selectFrom('archived_assets').select('name').execute())
      .map(({ name }) => name)
      .filter((name) => name.includes('late'))
      .sort();
  (await start(store, one, () => time))[Symbol.dispose]();
  time += 150 * DAY;
  (await start(store, one, () => time))[Symbol.dispose]();
  time += 179 * DAY;
  (await start(store, two, () => time))[Symbol.dispose]();
  assert.deepEqual(await names(), ['donation-form.one-late.js', 'donation-form.two-late.js']);
  time += 2 * DAY;
  (await start(store, two, () => time))[Symbol.dispose]();
  assert.deepEqual(await names(), ['donation-form.two-late.js']);
  await Promise.all([one, two].map((folder) => rm(folder, { recursive: true })));
});

test('a build that cannot be read is logged, and the server starts', async () => {
  await using store = await openTestStore();
  const log: string[] = [];
  const assetArchive = new AssetArchive({
    store,
    scripts: builtScripts('/nowhere'),
    now: Date.now,
    log: pino(
      {},
      {
        write: (line: string) => {
          log.push(line);
        },
      },
    ),
  });
  await assetArchive.start();
  assetArchive.stop();
  assert.match(log.join(''), /could not be kept for the next ones/);
});

test('a build without a file that has a hash in its name keeps nothing, and nothing fails', async () => {
  await using store = await openTestStore();
  const log: string[] = [];
  const assetArchive = new AssetArchive({
    store,
    scripts: async () => new Map(),
    now: Date.now,
    log: pino(
      {},
      {
        write: (line: string) => {
          log.push(line);
        },
      },
    ),
  });
  await assetArchive.start();
  assetArchive.stop();
  assert.deepEqual(log, []);
});
