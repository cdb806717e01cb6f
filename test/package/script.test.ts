import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import ts from 'typescript';
import { containsCardNumber } from '../../src/core/donor/card-number.ts';
import { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';

const FOLDER = 'dist/donation-form/scripts';
const readScript = (name: string): string => readFileSync(`${FOLDER}/${name}`, 'utf8');
const files = readdirSync(FOLDER);
/** File names of the form's lazy chunks. */
const chunks = files.filter((name) => /^donation-form\..+\.js$/.test(name));

/** Maximum sizes of scripts in bytes, minified and compressed with Brotli 11. */
const MAX_BYTES: readonly (readonly [script: string, start: string, bytes: number])[] = [
  ['embed script', 'donation-form.js', 18_450],
  ['chunk without which a donor cannot give', 'donation-form.lazy-', 15_800],
  ['chunk with what follows a submission', 'donation-form.next-steps-', 14_000],
  ["script for the older embed's settings", 'flat-settings.js', 1_500],
  ['attribution script', 'attribution.js', 1_500],
  ['analytics script', 'analytics.js', 2_200],
];

function measureScript(start: string): number {
  const name = files.find((file) => file.startsWith(start))!;
  return brotliCompressSync(readFileSync(`${FOLDER}/${name}`)).length;
}

for (const [script, start, bytes] of MAX_BYTES)
  test(`the ${script} has at most ${bytes} bytes`, (context) => {
    const length = measureScript(start);
    context.diagnostic(`${length} bytes`);
    assert.ok(length <= bytes, `${length} bytes`);
  });

test('the two scripts without which a donor cannot give have at most 34,000 bytes', () => {
  const sizes = ['donation-form.js', 'donation-form.lazy-'].map((start) => measureScript(start));
  const sum = sizes.reduce((total, size) => total + size, 0);
  assert.ok(sum <= 34_000, `${sum} bytes`);
});

test('the embed script is minified', () => {
  assert.ok(!readScript('donation-form.js').includes('\n  const '));
});

test('the embed script and its chunks have no static imports, because browsers may never retry these', () => {
  assert.ok(chunks.length >= 3);
  for (const name of ['donation-form.js', ...chunks]) {
    const { statements } = ts.createSourceFile(name, readScript(name), ts.ScriptTarget.Latest);
    assert.ok(!statements.some((statement) => ts.isImportDeclaration(statement)), name);
  }
});

test('a chunk imports no file that only chunks share, which would cost a round trip', () => {
  const texts = ['donation-form.js', ...chunks].map(readScript);
  const isLoadedAtRunTime = (name: string): boolean =>
    texts.some((text) => text.includes(`(\`${name}\`)`));
  const untranslated = chunks.filter((name) => !/-[a-z]{2}(-\w+)?\.js$/.test(name));
  assert.ok(untranslated.length > 8);
  assert.deepEqual(
    untranslated.filter((name) => !isLoadedAtRunTime(name)),
    [],
  );
});

test("a chunk's file name contains its script's ID, because caches store it for a year", () => {
  const parts = chunks
    .map((name) => ({
      name,
      script: /Symbol\.for\([`"']donation-form (\w+)/.exec(readScript(name))?.[1],
    }))
    .filter(({ script }) => script);
  assert.ok(parts.length >= 5);
  assert.equal(new Set(parts.map(({ script }) => script)).size, 1);
  for (const { name, script } of parts) assert.ok(name.endsWith(`-${script}.js`), name);
  for (const name of ['donation-form.js', ...chunks])
    assert.doesNotMatch(readScript(name), /donation-form\.[a-z-]+\.js/, name);
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
  const scripts = files
    .filter((name) => /^(donation-form|attribution|analytics)(\..+)?\.js$/.test(name))
    .map((name) => ({ name, text: readScript(name) }));
  for (const { name, text } of scripts) assert.equal(containsCardNumber(text), false, name);
  // The origin alone, without the path of the script that another chunk preloads.
  const withLoader = scripts.filter(({ text }) => /js\.stripe\.com["'`]/.test(text));
  assert.equal(withLoader.length, 1);
});

test('the first script contains no code of a payment provider, and none for unsupported browsers', () => {
  const script = readScript('donation-form.js');
  assert.doesNotMatch(script, /stripe|paypal|venmo|apple.?pay|google.?pay/i);
  assert.doesNotMatch(script, /ShadyCSS/);
});
