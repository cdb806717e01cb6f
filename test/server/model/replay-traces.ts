import { randomUUID } from 'node:crypto';
import { createRandomGenerator } from '../../../src/sandbox/data/random.ts';
import { openTestDatabase } from '../test-database.ts';
import { ACTION_NAMES } from './actions.ts';
import { Model } from './model.ts';
import { loadProductionCode } from './production-code.ts';
import { Replay, type TracedStep } from './replay.ts';
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

const MAX_STEPS = 40;

/**
 * Takes random steps until none changes anything.
 * @param seed the same seed makes the same trace.
 */
function createRandomTrace(model: Model, seed: number): readonly TracedStep[] {
  const random = createRandomGenerator(seed);
  const trace: TracedStep[] = [];
  for (let before = model.createInitialState(); trace.length < MAX_STEPS;) {
    const steps: TracedStep[] = [];
    model.listSuccessors(before, (action, server, _isFault, next) => {
      if (next.some((value, index) => value !== before[index]))
        steps.push({ action: ACTION_NAMES[action]!, server, before, after: next.slice() });
    });
    const step = steps[Math.floor(random() * steps.length)];
    if (!step) break;
    trace.push(step);
    before = step.after;
  }
  return trace;
}
