import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkReceiptPdf } from '../../../src/server/diagnostics/receipts.ts';
import { createPdfRenderer } from '../../../src/server/receipts/pdf/pdf-renderer.ts';
import { createFolder } from '../temporary-folder.ts';

test('passes if the fonts have the letters of every language', async () => {
  const { name, status } = await checkReceiptPdf('lanternwell');
  assert.deepEqual([name, status], ['PDF receipts for lanternwell', 'pass']);
});

test('names the languages that need other fonts', async (t) => {
  // The compiler, which is native code, reads the process's own environment.
  const previous = process.env.FONTCONFIG_FILE;
  t.after(() => {
    if (previous === undefined) delete process.env.FONTCONFIG_FILE;
    else process.env.FONTCONFIG_FILE = previous;
  });
  process.env.FONTCONFIG_FILE = join(createFolder(), 'fonts.conf');
  await writeFile(
    process.env.FONTCONFIG_FILE,
    '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>/nonexistent</dir></fontconfig>',
  );
  const { status, message } = await checkReceiptPdf('lanternwell');
  assert.equal(status, 'warning', message);
  assert.match(message, /^Fonts are missing for receipts in these languages: zh-Hans, ja\. /);
  assert.match(message, /fonts-noto-core and fonts-noto-cjk/);
});

test('fails if the optional package is not installed', async () => {
  const { status, message } = await checkReceiptPdf('lanternwell', () =>
    createPdfRenderer((name) => import.meta.resolve(`missing-${name.slice(1)}`)),
  );
  assert.equal(status, 'fail');
  assert.match(message, /npm install @myriaddreamin\/typst-ts-node-compiler@0\.7\.0/);
});
