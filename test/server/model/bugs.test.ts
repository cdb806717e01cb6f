import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PLANTED_BUGS } from './bugs.ts';
import { describeViolation } from './describe-violation.ts';
import { loadProductionCode } from './production-code.ts';
import { createScenario } from './scenarios.ts';
import { searchScenario } from './search.ts';

for (const bug of PLANTED_BUGS)
  test(`finds a server that ${bug.name}`, async (context) => {
    const scenario = createScenario(bug.scenario);
    const result = searchScenario(await loadProductionCode(bug), scenario);
    context.diagnostic(`\n${describeViolation(result)}`);
    assert.ok(result.violation?.rule.includes(bug.breaks), describeViolation(result));
  });

test('plants at least twelve bugs, half of them from the audits', () => {
  const audited = PLANTED_BUGS.filter(({ origin }) => origin === 'audit');
  assert.ok(PLANTED_BUGS.length >= 12 && audited.length >= 6);
});
