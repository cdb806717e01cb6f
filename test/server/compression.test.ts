import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { pino } from 'pino';
import { scriptRoutes } from '../../src/server/http/routes/scripts.ts';
import { builtScripts, embedOf } from '../../src/server/http/embed-assets.ts';
import { AssetArchive } from '../../src/server/http/asset-archive.ts';
import { ORIGIN, openDesk } from './support.ts';
import { openTestStore } from './store.ts';

const BROWSER = 'gzip, deflate, br, zstd';

async function bodyOf(response: Response): Promise<string> {
  const bytes = Buffer.from(await response.arrayBuffer());
  switch (response.headers.get('Content-Encoding')) {
    case 'br':
      return brotliDecompressSync(bytes).toString();
    case 'gzip':
      return gunzipSync(bytes).toString();
    default:
      return bytes.toString();
  }
}

test('public answers come as the client takes them best, and say that it depends', async () => {
  await using desk = await openDesk();
  const ask = (path: string, headers: Record<string, string>): Promise<Response> | Response =>
    desk.handler.fetch(new Request(`https://give.example${path}`, { headers }));
  for (const path of ['/form', '/countries', '/countries/US', '/links', '/links/preview/main']) {
    const plain = await bodyOf(await ask(path, {}));
    assert.ok(plain.length > 300, path);
    for (const [accepted, encoding] of [
      [BROWSER, 'br'],
      ['gzip', 'gzip'],
      ['br', 'br'],
      ['BR', 'br'],
      ['gzip;q=1, br;q=0.5', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['br;q=0, gzip;q=0', null],
      ['*', 'br'],
      ['*;q=0', null],
      ['br;q=0, *', 'gzip'],
      ['identity', null],
      ['identity;q=1, br;q=0.2', null],
      ['deflate', null],
      ['', null],
      ['zstd', null],
      ['br;q=0.001', 'br'],
      [';;,q=,br;q=x', 'br'],
      ['x'.repeat(5_000), null],
    ] as const) {
      const response = await ask(path, { 'Accept-Encoding': accepted });
      assert.deepEqual(
        [response.headers.get('Content-Encoding'), (await bodyOf(response)) === plain],
        [encoding, true],
        `${path}: ${accepted.slice(0, 50)}`,
      );
      assert.match(response.headers.get('Vary') ?? '', /Accept-Encoding/, path);
    }
  }
});

test('a tag is weak where the body is compressed, and names the body in every encoding', async () => {
  await using desk = await openDesk();
  for (const path of ['/form', '/countries', '/links']) {
    const ask = (headers: Record<string, string>): Promise<Response> | Response =>
      desk.handler.fetch(new Request(`https://give.example${path}`, { headers }));
    const [plain, compressed] = [await ask({}), await ask({ 'Accept-Encoding': BROWSER })].map(
      (response) => response.headers.get('ETag')!,
    );
    assert.match(plain!, /^"[\w-]{22}"$/);
    assert.equal(compressed, `W/${plain}`);
    for (const tag of [plain!, compressed, `"other", ${compressed}`]) {
      for (const accepted of ['', BROWSER]) {
        const response = await ask({ 'If-None-Match': tag, 'Accept-Encoding': accepted });
        assert.deepEqual(
          [
            response.status,
            response.headers.get('ETag'),
            response.headers.get('Content-Encoding'),
            await response.text(),
          ],
          [304, accepted ? compressed : plain, null, ''],
        );
        assert.match(response.headers.get('Vary') ?? '', /Accept-Encoding/);
      }
    }
    assert.equal((await ask({ 'If-None-Match': '"other"' })).status, 200);
  }
});

test('a gift is taken under the weak tag of a definition that came compressed', async () => {
  await using desk = await openDesk();
  const response = await desk.handler.fetch(
    new Request('https://give.example/form', {
      headers: { 'Accept-Encoding': 'br', Origin: ORIGIN },
    }),
  );
  assert.deepEqual(
    [response.headers.get('Access-Control-Allow-Origin'), response.headers.get('Vary')],
    [ORIGIN, 'Accept-Encoding, Origin'],
  );
  assert.equal(
    (await desk.post({ ...(await desk.request()), definition: response.headers.get('ETag') }))
      .status,
    200,
  );
});

test('the script comes as small as brotli makes it, is compressed once, and keeps the bytes that its integrity hash names', async () => {
  await using store = await openTestStore();
  const scripts = builtScripts();
  const { script, integrity } = embedOf(await scripts())!;
  const app = scriptRoutes({
    scripts,
    assetArchive: new AssetArchive({
      store,
      scripts,
      log: pino({ level: 'silent' }),
      now: Date.now,
    }),
  });
  const ask = async (name: string): Promise<Response> =>
    app.request(`/${name}`, { headers: { 'Accept-Encoding': BROWSER } });
  const first = await ask('donation-form.js');
  const { byteLength } = await first.arrayBuffer();
  assert.ok(byteLength <= 19_000, String(byteLength));
  const began = process.cpuUsage();
  for (let times = 0; times < 50; times += 1)
    assert.equal((await (await ask('donation-form.js')).arrayBuffer()).byteLength, byteLength);
  assert.ok(
    process.cpuUsage(began).user < 1_000_000,
    'compressing it 50 times takes longer than a second',
  );
  const twin = await ask(script);
  assert.equal(twin.headers.get('Cache-Control'), 'public, max-age=31536000, immutable');
  assert.equal(
    `sha384-${createHash('sha384')
      .update(await bodyOf(twin))
      .digest('base64')}`,
    integrity,
  );
  assert.equal(
    (
      await app.request('/embed.json', {
        headers: { 'If-None-Match': (await ask('embed.json')).headers.get('ETag')! },
      })
    ).status,
    304,
  );
});
