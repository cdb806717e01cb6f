import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import vm from 'node:vm';
import { extractMainScript } from '../../../src/core/page-diagnosis/index.ts';
import {
  type EmbeddedForm,
  EmbeddedFormScripts,
} from '../../../src/server/http/routes/embedded-form.ts';
import { createPublicBody } from '../../../src/server/lib/public-body.ts';
import { exampleForm } from '../../example-form.ts';
import { ADMIN_KEY, callAdmin } from '../admin/support.ts';
import { ORIGIN, startServer, type TestServer } from '../support.ts';

const SCRIPT = 'export {};';

const fetchFromServer = (server: TestServer, path: string, origin = ORIGIN): Promise<Response> =>
  server.fetch(`/${path}`, { headers: { Origin: origin } });

const localize = (name: string, payments = exampleForm.payments): EmbeddedForm => {
  const definition = { ...exampleForm, name, payments };
  const localized = { ...createPublicBody(JSON.stringify(definition)), definition };
  return { localized, language: 'en' };
};

/** Runs the statement before the embed script and returns the definitions that it provides. */
function runFirstStatement(text: string): Readonly<Record<string, unknown>> {
  const context = vm.createContext({ URL, url: 'https://give.example/embed/main.js' });
  const statement = text.slice(0, -SCRIPT.length).replaceAll('import.meta.url', 'url');
  vm.runInContext(statement, context);
  return vm.runInContext(
    'globalThis[Symbol.for("donation-form definitions")]',
    context,
  ) as Readonly<Record<string, unknown>>;
}

test("the script of a form contains the response of GET /form, in the query's language or in English", async () => {
  await using server = await startServer();
  for (const language of ['en', 'de']) {
    const script = await fetchFromServer(server, `embed/main.js?language=${language}`);
    const form = await fetchFromServer(server, `form?id=main&language=${language}`);
    const definition: unknown = await form.json();
    assert.deepEqual(
      JSON.stringify(runFirstStatement(await script.text())),
      JSON.stringify({
        [`https://give.example/form?id=main&language=${language}`]: {
          definition,
          etag: form.headers.get('ETag'),
        },
      }),
    );
    assert.deepEqual(
      [script.headers.get('Cache-Control'), script.headers.get('Vary')],
      ['public, max-age=300', 'Accept-Encoding, Origin'],
    );
  }
  const [english, unknown] = await Promise.all(
    ['embed/main.js', 'embed/main.js?language=xx'].map(async (path) =>
      (await fetchFromServer(server, path)).headers.get('ETag'),
    ),
  );
  assert.equal(english, unknown);
});

test('the script finds its chunks and the endpoint in the parent folder', () => {
  const script = readFileSync('dist/donation-form/scripts/donation-form.js', 'utf8');
  const { text } = new EmbeddedFormScripts().getScript(script, undefined);
  const urls = [...script.matchAll(/`\.\/[^`]+`|\(`\.`,import\.meta\.url/g)].map(([url]) => url);
  // The function that imports chunks, the chunk to preload, and the endpoint.
  assert.equal(urls.length, 3);
  assert.ok(!/import\(["'`]\./.test(script));
  for (const url of urls) {
    assert.ok(!text.includes(url), url);
    assert.ok(text.includes(url.replace('`.', '`..')), url);
  }
});

test('names the files of the payment field that the form shows first, and no others', () => {
  const chunk = 'donation-form.stripe-01234567.js';
  const [card] = exampleForm.payments;
  const stripe = { ...card, provider: 'stripe', hasField: true, hasWallets: false, options: {} };
  const fieldFiles = {
    modulepreload: `https://give.example/${chunk}`,
    preload: 'https://js.stripe.com/endive/stripe.js',
  };
  const other = { ...stripe, provider: 'other' };
  const cases: readonly [
    EmbeddedForm['localized']['definition']['payments'],
    object | undefined,
  ][] = [
    [[stripe], fieldFiles],
    [
      [{ ...stripe, options: { scriptUrl: 'https://pay.example/s.js' } }],
      { ...fieldFiles, preload: 'https://pay.example/s.js' },
    ],
    [[other, { ...stripe, hasWallets: true }], fieldFiles],
    [[other, stripe], undefined],
    [[{ ...stripe, hasField: false }], undefined],
  ];
  for (const [payments, expected] of cases) {
    const { text } = new EmbeddedFormScripts().getScript(SCRIPT, localize('main', payments), chunk);
    const [embedded] = Object.values(runFirstStatement(text)) as [{ fieldFiles?: object }];
    assert.deepEqual(JSON.stringify(embedded.fieldFiles), JSON.stringify(expected));
  }
});

test('the script of a form contains the whole embed script, which the page doctor finds, and starts with its compile hint', () => {
  const script = readFileSync('dist/donation-form/scripts/donation-form.js', 'utf8');
  const hint = '//# allFunctionsCalledOnLoad\n';
  assert.ok(script.startsWith(hint));
  for (const embedded of [undefined, localize('A form "such", as this,etag:"x"};')]) {
    const body = new EmbeddedFormScripts().getScript(script, embedded);
    assert.notEqual(body.text, script);
    assert.ok(body.text.startsWith(hint));
    assert.equal(extractMainScript(body.text), script);
  }
});

test('caches the most recently used scripts, and forgets the others', () => {
  const scripts = new EmbeddedFormScripts();
  const [used, unused] = [localize('used'), localize('unused')];
  const usedScript = scripts.getScript('', used);
  const unusedScript = scripts.getScript('', unused);
  for (let count = 0; count < 300; count += 1) {
    assert.equal(scripts.getScript('', used), usedScript);
    scripts.getScript('', localize(`other ${count}`));
  }
  assert.notEqual(scripts.getScript('', unused), unusedScript);
});

test('the script contains no definition if the page or form is not allowed, so that the element explains it', async () => {
  await using server = await startServer({ adminKey: ADMIN_KEY });
  const hasDefinition = async (path: string, origin = ORIGIN): Promise<boolean> => {
    const response = await fetchFromServer(server, path, origin);
    const text = await response.text();
    assert.ok(response.status === 200 && text.endsWith(SCRIPT), text);
    return text !== SCRIPT;
  };
  assert.deepEqual(
    [
      await hasDefinition('embed/main.js'),
      await hasDefinition('embed/main.js', 'https://other.example'),
      await hasDefinition('embed/unknown.js'),
    ],
    [true, false, false],
  );
  await callAdmin(server, '/api/organizations/lanternwell/pause', { by: 'Ana', note: 'test' });
  assert.equal(await hasDefinition('embed/main.js'), false);
});
