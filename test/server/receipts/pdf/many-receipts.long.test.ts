import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestRenderer, RECEIPT } from './support.ts';

const COUNT = 1_000;

test('renders 1,000 receipts within 20 seconds and 150 MB', async (t) => {
  const renderer = createTestRenderer();
  const memoryBefore = process.memoryUsage.rss();
  const start = performance.now();
  let memory = 0;
  for (let index = 0; index < COUNT; index += 1) {
    await renderer.render({
      ...RECEIPT,
      number: `WEB-2026-${index}`,
      recipient: { name: `Ana Donor ${index}`, addressLines: [`${index} Elm Street`] },
    });
    memory = Math.max(memory, process.memoryUsage.rss());
  }
  const seconds = (performance.now() - start) / 1_000;
  const megabytes = (memory - memoryBefore) / 1_000_000;
  t.diagnostic(`${COUNT} receipts: ${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB`);
  assert.ok(seconds <= 20, `${seconds} s`);
  assert.ok(megabytes <= 150, `${megabytes} MB`);
});
