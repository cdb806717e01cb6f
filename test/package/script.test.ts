import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { brotliCompressSync, constants } from 'node:zlib';
import ts from 'typescript';
import { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { hasCardNumber } from '../../src/core/donor/card-number.ts';

const LARGEST_SCRIPT = 19_000;
const script = readFileSync('dist/donation-form/scripts/donation-form.js');

test(`the script that pages embed is at most ${LARGEST_SCRIPT} bytes, minified, brotli 11`, (context) => {
  const { length } = brotliCompressSync(script, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
  });
  context.diagnostic(`${length} bytes`);
  assert.ok(length <= LARGEST_SCRIPT, `${length} bytes`);
  assert.ok(!script.toString().includes('\n  const '), 'it is not minified');
});

test('the script that keeps a campaign is under 1,500 bytes', (context) => {
  const { length } = brotliCompressSync(readFileSync('dist/donation-form/scripts/attribution.js'), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
  });
  context.diagnostic(`${length} bytes`);
  assert.ok(length < 1_500, `${length} bytes`);
});

test('the script for analytics is under 2,000 bytes', (context) => {
  const { length } = brotliCompressSync(readFileSync('dist/donation-form/scripts/analytics.js'), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
  });
  context.diagnostic(`${length} bytes`);
  assert.ok(length < 2_000, `${length} bytes`);
});

test('the script is one file, and its late parts do not load it again: it may stand at another address, or be of another release', () => {
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
    const imported = statements.flatMap((statement) =>
      ts.isImportDeclaration(statement) && ts.isStringLiteral(statement.moduleSpecifier)
        ? [statement.moduleSpecifier.text]
        : [],
    );
    assert.ok(
      name === 'donation-form.js'
        ? imported.length === 0
        : imported.every((file) => late.includes(file.slice('./'.length))),
      `${name} imports ${imported.join()}`,
    );
  }
});

test('a late part has the script that it belongs to in its name: caches keep it for a year', () => {
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

test("the version that the script tells is the package's", () => {
  assert.equal(
    DonationFormElement.version,
    (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version,
  );
});

test('the script parses as plain JavaScript', () => {
  assert.equal(
    spawnSync(process.execPath, ['--check', 'dist/donation-form/scripts/donation-form.js']).status,
    0,
  );
});

test('importing what is meant for pages on a server does nothing and fails nothing', () => {
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

test("no script that a page loads holds anything that could be a card number, and Stripe's part is one that only forms with Stripe fetch", () => {
  const scripts = readdirSync('dist/donation-form/scripts')
    .filter((name) => /^(donation-form|attribution|analytics)(\..+)?\.js$/.test(name))
    .map((name) => ({ name, text: readFileSync(`dist/donation-form/scripts/${name}`, 'utf8') }));
  for (const { name, text } of scripts) assert.equal(hasCardNumber(text), false, name);
  const withStripe = scripts.filter(({ text }) => text.includes('js.stripe.com'));
  assert.equal(withStripe.length, 1);
  assert.notEqual(withStripe[0]!.name, 'donation-form.js');
});
