import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { getEmbedValues } from '../../../src/server/http/embed-assets.ts';
import { sendPublicBody } from '../../../src/server/http/send-public-body.ts';
import { createPublicBody } from '../../../src/server/lib/public-body.ts';
import { ORIGIN, startServer } from '../support.ts';
import { openTestDatabase } from '../test-database.ts';
import { createScriptApp } from './script-app.ts';

const BROWSER_ENCODINGS = 'gzip, deflate, br, zstd';

async function decompressBody(response: Response): Promise<string> {
  const bytes = Buffer.from(await response.arrayBuffer());
  const encoding = response.headers.get('Content-Encoding');
  if (encoding === 'br') return brotliDecompressSync(bytes).toString();
  return (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}

test('sends public bodies in the encoding that the client prefers', async () => {
  await using server = await startServer();
  const fetch = (path: string, headers: Record<string, string>): Promise<Response> =>
    server.fetch(path, { headers });
  for (const path of ['/form', '/countries', '/countries/US', '/links', '/links/preview/main']) {
    const plain = await decompressBody(await fetch(path, {}));
    assert.ok(plain.length > 300, path);
    for (const [accepted, encoding] of [
      [BROWSER_ENCODINGS, 'br'],
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
      const response = await fetch(path, { 'Accept-Encoding': accepted });
      assert.deepEqual(
        [response.headers.get('Content-Encoding'), (await decompressBody(response)) === plain],
        [encoding, true],
        `${path}: ${accepted.slice(0, 50)}`,
      );
      assert.match(response.headers.get('Vary') ?? '', /Accept-Encoding/, path);
    }
  }
});

test('weakens the ETag of a compressed body, and matches it in every encoding', async () => {
  await using server = await startServer();
  for (const path of ['/form', '/countries', '/links']) {
    const fetchPage = (headers: Record<string, string>): Promise<Response> =>
      server.fetch(path, { headers });
    const [plain, compressed] = [
      await fetchPage({}),
      await fetchPage({ 'Accept-Encoding': BROWSER_ENCODINGS }),
    ].map((response) => response.headers.get('ETag')!);
    assert.match(plain!, /^"[\w-]{22}"$/);
    assert.equal(compressed, `W/${plain}`);
    for (const tag of [plain!, compressed, `"other", ${compressed}`]) {
      for (const accepted of ['', BROWSER_ENCODINGS]) {
        const response = await fetchPage({ 'If-None-Match': tag, 'Accept-Encoding': accepted });
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
    assert.equal((await fetchPage({ 'If-None-Match': '"other"' })).status, 200);
  }
});

test('accepts a donation with the weak ETag of a compressed form definition', async () => {
  await using server = await startServer();
  const response = await server.fetch('/form', {
    headers: { 'Accept-Encoding': 'br', Origin: ORIGIN },
  });
  assert.deepEqual(
    [response.headers.get('Access-Control-Allow-Origin'), response.headers.get('Vary')],
    [ORIGIN, 'Accept-Encoding, Origin'],
  );
  const request = await server.createRequest({ definition: response.headers.get('ETag') });
  assert.equal((await server.postDonation(request)).status, 200);
});

// Hono's listener replaces the global `Response` by one without `bytes`.
const readBytes = async (response: Response): Promise<Uint8Array> =>
  new Uint8Array(await response.arrayBuffer());

test('sends the script as the build compressed it, without changing the bytes of its integrity hash', async () => {
  await using database = await openTestDatabase();
  const { app, loadAssets } = createScriptApp(database);
  const { script, integrity } = getEmbedValues(await loadAssets())!;
  const fetchByName = async (name: string): Promise<Response> =>
    app.request(`/${name}`, { headers: { 'Accept-Encoding': BROWSER_ENCODINGS } });
  const bytes = await readBytes(await fetchByName('donation-form.js'));
  assert.ok(Buffer.from((await loadAssets()).get('donation-form.js')!.brotli!).equals(bytes));
  assert.ok(bytes.length <= 19_000, String(bytes.length));
  const twin = await fetchByName(script);
  assert.equal(twin.headers.get('Cache-Control'), 'public, max-age=31536000, immutable');
  const hash = createHash('sha384').update(await decompressBody(twin));
  assert.equal(`sha384-${hash.digest('base64')}`, integrity);
  const etag = (await fetchByName('embed.json')).headers.get('ETag')!;
  const unchanged = await app.request('/embed.json', { headers: { 'If-None-Match': etag } });
  assert.equal(unchanged.status, 304);
});

test('compresses a body once, and never one that the build compressed', async () => {
  const text = await readFile('dist/donation-form/scripts/donation-form.js', 'utf8');
  const compressed = Uint8Array.of(1, 2, 3);
  const bodies = [createPublicBody(text), createPublicBody(text, compressed)] as const;
  const app = new Hono()
    .get('/text', (c) => sendPublicBody(c, bodies[0], {}))
    .get('/compressed', (c) => sendPublicBody(c, bodies[1], {}));
  const fetchBytes = async (path: string): Promise<Uint8Array> =>
    readBytes(await app.request(path, { headers: { 'Accept-Encoding': 'br' } }));
  assert.deepEqual(await fetchBytes('/compressed'), compressed);
  const before = process.cpuUsage();
  for (let times = 0; times < 50; times += 1) await fetchBytes('/text');
  assert.ok(process.cpuUsage(before).user < 1_000_000, 'the text was compressed more than once');
});
