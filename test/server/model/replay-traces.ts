import { randomUUID } from 'node:crypto';
import { openTestDatabase } from '../test-database.ts';
import { Model } from './model.ts';
import { loadProductionCode } from './production-code.ts';
import { createRandomTrace } from './random-traces.ts';
import { Replay } from './replay.ts';
import { createScenario } from './scenarios.ts';

const SCENARIOS = [
  createScenario({ faults: 2, hasRefund: true }),
  createScenario({ faults: 2, hasRefund: true, hasLookup: false }),
  createScenario({ faults: 2, hasRefund: true, provider: 'page' }),
  createScenario({ faults: 2, hasRefund: true, provider: 'debit' }),
];

/** Replays `count` random traces, spread over several scenarios. */
export async function replayTraces(count: number): Promise<void> {
  const code = await loadProductionCode();
  const clock = { now: 1_800_000_000_000 };
  await using database = await openTestDatabase(undefined, () => clock.now);
  for (let seed = 0; seed < count; seed += 1) {
    const scenario = SCENARIOS[seed % SCENARIOS.length]!;
    const trace = createRandomTrace(new Model(code, scenario), seed);
    await new Replay(database, clock, { scenario, name: randomUUID() }).run(trace);
  }
}
