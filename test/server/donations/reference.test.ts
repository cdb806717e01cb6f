import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReference, isReference } from '../../../src/server/donations/reference.ts';

const NOW = Date.UTC(2026, 10, 26);

test('begins references of the same moment alike, and makes each unique', () => {
  const references = Array.from({ length: 1_000 }, () => createReference(NOW));
  assert.ok(references.every(isReference));
  assert.equal(new Set(references).size, 1_000);
  assert.equal(new Set(references.map((reference) => reference.slice(0, 3))).size, 1);
});

test('sorts references by time for 4.5 minutes, then begins again', () => {
  const step = 10;
  const period = 30 ** 3 * step;
  const start = Math.ceil(NOW / period) * period;
  const prefixes = [0, step, 31 * step, 1_000 * step, period - 1].map((offset) =>
    createReference(start + offset).slice(0, 3),
  );
  assert.deepEqual(prefixes, prefixes.toSorted());
  assert.equal(new Set(prefixes).size, prefixes.length);
  assert.equal(createReference(start + period).slice(0, 3), prefixes[0]);
});
