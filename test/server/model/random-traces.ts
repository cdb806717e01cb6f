import { createRandomGenerator } from '../../../src/sandbox/data/random.ts';
import { ACTION_NAMES, type Step } from './actions.ts';
import type { Model } from './model.ts';
import type { State } from './state.ts';

/** A step with the states of the model before and after it. */
export interface TracedStep extends Step {
  readonly before: State;
  readonly after: State;
}

const MAX_STEPS = 40;

/**
 * Takes random steps until none changes anything.
 * @param seed the same seed makes the same trace.
 */
export function createRandomTrace(model: Model, seed: number): readonly TracedStep[] {
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
