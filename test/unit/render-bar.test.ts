import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { AUDIT } from '../load/audit.ts';
import {
  createCountFigure,
  createExactFigure,
  createMaximumFigure,
  createZeroFigure,
  type Figure,
} from '../load/figure.ts';
import { renderBar } from '../load/render-bar.ts';

const bar = { number: 1, description: 'the server is killed' };
const audit = Object.values(AUDIT).map((label) => createZeroFigure(label, 0));
const render = (figures: readonly Figure[]): string =>
  renderBar({ bar, figures, seconds: 1.4 }, 'Measured somewhere.');

test('renders a row for each measure, a column for each database, and a sentence for zeros and counts', () => {
  assert.equal(
    render([
      createExactFigure('SQLite: server kills', 20, 20),
      createZeroFigure('SQLite: lost', 0),
      createExactFigure('PostgreSQL: server kills', 19, 20),
      createZeroFigure('PostgreSQL: lost', 0),
      ...audit,
      createCountFigure('refunds', 3),
    ]),
    `**Bar 1:** the server is killed. Duration: 1 s. Measured somewhere.

| measure | SQLite | PostgreSQL | target |
| --- | --- | --- | --- |
| server kills | 20 | **19: missed** | 20 |

Each of these is 0, as required: lost; [the audit's counts](#the-audit).

Counted: 3 refunds.`,
  );
});

test('shows every zero that was required and missed, and those of the audit', () => {
  const [first, ...others] = audit;
  const text = render([createZeroFigure(first!.label, 2), ...others]);
  assert.match(text, /\| acknowledged donations missing[^|]*\| \*\*2: missed\*\* \| 0 \|/);
  assert.ok(!text.includes('#the-audit') && text.includes(`; ${AUDIT.needsReview}.`));
  assert.match(
    render([createZeroFigure('SQLite: lost', 0), createZeroFigure('PostgreSQL: lost', 1)]),
    /\| lost \| 0 \| \*\*1: missed\*\* \| 0 \|/,
  );
  assert.match(render([createMaximumFigure('calls', 0, 1)]), /\| calls \| 0 \| ≤ 1 \|/);
});

test('docs/evidence/reliability.md lists what the audit counts', () => {
  const page = readFileSync('docs/evidence/reliability.md', 'utf8');
  const [, list = ''] = page.split('\n### The audit\n');
  for (const label of Object.values(AUDIT))
    assert.ok(list.split('\n## ')[0]!.includes(label), label);
});
