import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { brotliCompressSync, constants } from 'node:zlib';
import ts from 'typescript';
import { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { containsCardNumber } from '../../src/core/donor/card-number.ts';

const MAX_SCRIPT_BYTES = 19_000;
const script = readFileSync('dist/donation-form/scripts/donation-form.js');

test(`the embed script is at most ${MAX_SCRIPT_BYTES} bytes, minified and compressed with brotli 11`, (context) => {
  const { length } = brotliCompressSync(script, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
  });
  context.diagnostic(`${length} bytes`);
  assert.ok(length <= MAX_SCRIPT_BYTES, `${length} bytes`);
  assert.ok(!script.toString().includes('\n  const '), 'it is not minified');
});

test('the screens after a submission and the drawings load in a chunk that is smaller than 6,000 bytes', (context) => {
  const name = readdirSync('dist/donation-form/scripts').find((file) =>
    file.startsWith('donation-form.result-screens-'),
  )!;
  const { length } = brotliCompressSync(readFileSync(`dist/donation-form/scripts/${name}`));
  context.diagnostic(`${length} bytes`);
  assert.ok(length < 6_000, `${length} bytes`);
});

test("the script for the older embed's settings is smaller than 1,500 bytes", (context) => {
  const { length } = brotliCompressSync(
    readFileSync('dist/donation-form/scripts/flat-settings.js'),
  );
  context.diagnostic(`${length} bytes`);
  assert.ok(length < 1_500);
});

test('the attribution script is smaller than 1,500 bytes', (context) => {
  const { length } = brotliCompressSync(readFileSync('dist/donation-form/scripts/attribution.js'), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
  });
  context.diagnostic(`${length} bytes`);
  assert.ok(length < 1_500, `${length} bytes`);
});

test('the analytics script is smaller than 2,200 bytes', (context) => {
  const { length } = brotliCompressSync(readFileSync('dist/donation-form/scripts/analytics.js'), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
  });
  context.diagnostic(`${length} bytes`);
  assert.ok(length < 2_200, `${length} bytes`);
});

test('the embed script and its chunks have no static imports, because browsers may never retry these', () => {
  const late = readdirSync('dist/donation-form/scripts').filter((name) =>
    /^donation-form\..+\.js$/.test(name),
  );
  assert.ok(late.length >= 3);
  for (const name of ['donation-form.js', ...late]) {
    const { statements } = ts.createSourceFile(
      name,
      readFileSync(`dist/donation-form/scripts/${name}`, 'utf8'),
      ts.ScriptTarget.Latest,
    );
    assert.ok(!statements.some((statement) => ts.isImportDeclaration(statement)), name);
  }
});

test('a chunk imports no file that only chunks share, which would cost a round trip', () => {
  const scripts = readdirSync('dist/donation-form/scripts').filter((name) =>
    /^donation-form\..+\.js$/.test(name),
  );
  const texts = ['donation-form.js', ...scripts].map((name) =>
    readFileSync(`dist/donation-form/scripts/${name}`, 'utf8'),
  );
  const isLoadedAtRunTime = (name: string): boolean =>
    texts.some((text) => text.includes(`(\`${name}\`)`));
  const chunks = scripts.filter((name) => !/-[a-z]{2}(-\w+)?\.js$/.test(name));
  assert.ok(chunks.length > 8);
  assert.deepEqual(
    chunks.filter((name) => !isLoadedAtRunTime(name)),
    [],
  );
});

test("a chunk's file name contains its script's ID, because caches store it for a year", () => {
  const parts = readdirSync('dist/donation-form/scripts')
    .filter((name) => /^donation-form\..+\.js$/.test(name))
    .map((name) => ({
      name,
      script: /Symbol\.for\([`"']donation-form (\w+)/.exec(
        readFileSync(`dist/donation-form/scripts/${name}`, 'utf8'),
      )?.[1],
    }))
    .filter(({ script }) => script);
  assert.ok(parts.length >= 5);
  assert.equal(new Set(parts.map(({ script }) => script)).size, 1);
  for (const { name, script } of parts) assert.ok(name.endsWith(`-${script}.js`), name);
});

test("the element's version is the package's version", () => {
  assert.equal(
    DonationFormElement.version,
    (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version,
  );
});

test('the embed script parses as plain JavaScript', () => {
  assert.equal(
    spawnSync(process.execPath, ['--check', 'dist/donation-form/scripts/donation-form.js']).status,
    0,
  );
});

test('browser entries can be imported on a server without side effects', () => {
  const entries = [
    'donation-form',
    ...['element', 'link', 'attribution', 'payment', 'react', 'vue', 'svelte'].map(
      (name) => `donation-form/${name}`,
    ),
  ];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `for (const entry of ${JSON.stringify(entries)}) await import(entry);`,
    ],
    { encoding: 'utf8' },
  );
  assert.deepEqual([status, stdout, stderr], [0, '', '']);
});

test("browser scripts contain no possible card number, and only one chunk contains Stripe's loader", () => {
  const scripts = readdirSync('dist/donation-form/scripts')
    .filter((name) => /^(donation-form|attribution|analytics)(\..+)?\.js$/.test(name))
    .map((name) => ({ name, text: readFileSync(`dist/donation-form/scripts/${name}`, 'utf8') }));
  for (const { name, text } of scripts) assert.equal(containsCardNumber(text), false, name);
  // The origin alone, without the path of the script that another chunk preloads.
  const withLoader = scripts.filter(({ text }) => /js\.stripe\.com["'`]/.test(text));
  assert.equal(withLoader.length, 1);
});

test('the first script contains no code of a payment provider, and none for unsupported browsers', () => {
  const script = readFileSync('dist/donation-form/scripts/donation-form.js', 'utf8');
  assert.doesNotMatch(script, /stripe|paypal|venmo|apple.?pay|google.?pay/i);
  assert.doesNotMatch(script, /ShadyCSS/);
});
