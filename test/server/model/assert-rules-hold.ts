import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Scenario } from './layout.ts';
import { loadProductionCode } from './production-code.ts';
import { searchScenario } from './search.ts';

/** Searches all states of the scenarios, and prints how many there are. */
export async function assertRulesHold(
  context: TestContext,
  scenarios: readonly Scenario[],
  minimum: number,
): Promise<void> {
  const code = await loadProductionCode();
  const startedAt = process.cpuUsage();
  let total = 0;
  for (const scenario of scenarios) {
    const { distinct, violation } = searchScenario(code, scenario);
    assert.equal(violation, undefined, violation?.story);
    total += distinct;
  }
  const { user, system } = process.cpuUsage(startedAt);
  const seconds = ((user + system) / 1_000_000).toFixed(1);
  context.diagnostic(`${total} distinct states in ${seconds} CPU-seconds`);
  assert.ok(total >= minimum, `${total} states`);
}
