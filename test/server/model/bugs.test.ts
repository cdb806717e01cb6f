import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PLANTED_BUGS } from './bugs.ts';
import { loadProductionCode } from './production-code.ts';
import { createScenario } from './scenarios.ts';
import { searchScenario } from './search.ts';

assert.ok(PLANTED_BUGS.length >= 12);
for (const bug of PLANTED_BUGS)
  test(`finds a server that ${bug.name}`, async (context) => {
    const scenario = createScenario(bug.scenario);
    const { violation } = searchScenario(await loadProductionCode(bug), scenario);
    context.diagnostic(`\n${violation?.story}`);
    assert.ok(violation?.rule.includes(bug.breaks), violation?.story);
  });
