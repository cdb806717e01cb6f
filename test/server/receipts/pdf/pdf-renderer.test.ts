import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import {
  createPdfRenderer,
  PdfRenderer,
} from '../../../../src/server/receipts/pdf/pdf-renderer.ts';
import { waitUntil } from '../../../wait-until.ts';
import { createFolder } from '../../temporary-folder.ts';
import { createTestRenderer, readInfo, readText, RECEIPT } from './support.ts';

test('renders the same receipt as the same bytes, also in another worker', async () => {
  const renderer = createTestRenderer();
  const first = await renderer.render(RECEIPT);
  await renderer.render({ ...RECEIPT, number: 'WEB-2026-000124' });
  assert.deepEqual(await renderer.render(RECEIPT), first);
  assert.deepEqual(await createTestRenderer().render(RECEIPT), first);
  assert.doesNotMatch(readInfo(first), /Date:/);
});

test('names the characters that no font has instead of showing boxes', async () => {
  const renderer = createTestRenderer();
  await assert.rejects(
    renderer.render({ ...RECEIPT, recipient: { name: 'A\u{10FFFD}', addressLines: [] } }),
    /^Error: Cannot render WEB-2026-000123 as PDF: no installed font has U\+10FFFD\. Install more fonts/,
  );
  assert.match(readText(await renderer.render(RECEIPT)), /Ana Donor/);
});

test('says what to install without the optional package', () => {
  assert.throws(
    () => createPdfRenderer((name) => import.meta.resolve(`missing-${name.slice(1)}`)),
    {
      name: 'ConfigurationError',
      message:
        'receipts.pdf is true, but the package @myriaddreamin/typst-ts-node-compiler is not ' +
        'installed. Run npm install @myriaddreamin/typst-ts-node-compiler@0.7.0, or remove receipts.pdf.',
    },
  );
});

test('leaves the event loop to donations while it renders', async () => {
  const renderer = createTestRenderer();
  await renderer.render(RECEIPT);
  const receipts = Array.from({ length: 50 }, (_, index) => ({
    ...RECEIPT,
    number: `WEB-${index}`,
  }));
  const before = performance.eventLoopUtilization();
  await Promise.all(receipts.map((receipt) => renderer.render(receipt)));
  const { utilization } = performance.eventLoopUtilization(before);
  assert.ok(utilization < 0.5, String(utilization));
});

/**
 * Creates a renderer with a compiler of which each worker runs `script` for a receipt with the
 * number `bad`, and returns the number of the worker for other receipts.
 */
async function createFakeRenderer(script: string): Promise<PdfRenderer> {
  const file = join(createFolder(), 'compiler.cjs');
  await writeFile(
    file,
    `const { threadId } = require('node:worker_threads');
    exports.NodeCompiler = {
      create: () => ({
        evictCache: () => {},
        pdf: ({ inputs: { receipt } }) => {
          if (JSON.parse(receipt).number === 'bad') { ${script} }
          return new Uint8Array([threadId]);
        },
      }),
    };`,
  );
  return new PdfRenderer(file);
}

const BAD_RECEIPT = { ...RECEIPT, number: 'bad' };

test('rejects a receipt on which the worker stops, and renders the next in a new worker', async () => {
  const renderer = await createFakeRenderer('process.exit(7)');
  const [worker] = await renderer.render(RECEIPT);
  const bad = renderer.render(BAD_RECEIPT);
  const next = renderer.render(RECEIPT);
  await assert.rejects(bad, {
    message: 'Cannot render bad as PDF: the worker thread stopped with code 7',
  });
  assert.notEqual((await next)[0], worker);
  await renderer.close();
});

test('starts a new worker after an error between two receipts', async () => {
  const renderer = await createFakeRenderer('setImmediate(() => { throw new Error("late"); });');
  const [worker] = await renderer.render(BAD_RECEIPT);
  await waitUntil(async () => {
    const [next] = await renderer.render(RECEIPT).catch(() => [worker]);
    return next !== worker;
  });
  await renderer.close();
});

test('rejects a receipt if the compiler does not run on this machine', async () => {
  const file = join(createFolder(), 'compiler.cjs');
  await writeFile(file, 'throw new Error("Cannot find native binding");');
  const renderer = new PdfRenderer(file);
  await assert.rejects(renderer.render(RECEIPT), {
    message: 'Cannot render WEB-2026-000123 as PDF: Cannot find native binding',
  });
  await renderer.close();
});

test('rejects a receipt that takes too long, and renders the next in a new worker', async (t) => {
  const renderer = await createFakeRenderer('for (;;);');
  const [worker] = await renderer.render(RECEIPT);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const bad = renderer.render(BAD_RECEIPT);
  const next = renderer.render(RECEIPT);
  await setImmediate();
  t.mock.timers.tick(30_000);
  await assert.rejects(bad, {
    message: 'Cannot render bad as PDF: it takes longer than 30 seconds',
  });
  assert.notEqual((await next)[0], worker);
  await renderer.close();
});

test('rejects all receipts that are not finished when it closes', async () => {
  const renderer = await createFakeRenderer('for (;;);');
  const results = [BAD_RECEIPT, RECEIPT].map((receipt) => renderer.render(receipt));
  const settled = Promise.allSettled(results);
  await setImmediate();
  await renderer.close();
  for (const result of await settled)
    assert.match(
      String(result.status === 'rejected' && result.reason),
      /Cannot render .* as PDF: the server is stopping/,
    );
  await assert.rejects(renderer.render(RECEIPT), /the server is stopping/);
});

test('installs the version that the tests use in the Dockerfile, the docs, and the error', async () => {
  const { devDependencies } = JSON.parse(await readFile('test/package.json', 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  const name = '@myriaddreamin/typst-ts-node-compiler';
  for (const file of [
    'Dockerfile',
    'docs/server/mail.md',
    'test/server/receipts/pdf/pdf-renderer.test.ts',
  ]) {
    const [, version] = (await readFile(file, 'utf8')).split(`${name}@`);
    assert.ok(version!.startsWith(devDependencies[name]!), file);
  }
});
