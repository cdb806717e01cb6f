import { F, S, type Scenario, SERVER, STEP, UNCONFIRMED } from './layout.ts';
import { PaymentSteps } from './payment-steps.ts';
import type { ProductionCode } from './production-code.ts';
import { RelaySteps } from './relay-steps.ts';
import { FIELD_COUNT, type State } from './state.ts';
import { type Emit, Steps } from './steps.ts';
import { WorldSteps } from './world-steps.ts';

/** The world around the production code: its servers, donor, provider, platform, and clock. */
export class Model {
  readonly #scenario: Scenario;
  readonly #parts: readonly Steps[];

  constructor(code: ProductionCode, scenario: Scenario) {
    this.#scenario = scenario;
    this.#parts = [WorldSteps, PaymentSteps, RelaySteps].map((Part) => new Part(code, scenario));
  }

  /** Returns the state in which server 1 has saved a new donation. */
  createInitialState(): State {
    const state = new Uint8Array(FIELD_COUNT);
    state[F.status] = UNCONFIRMED;
    state[F.due] = 1;
    state[F.lock] = 1;
    state[F.faults] = this.#scenario.faults === Infinity ? 1 : this.#scenario.faults;
    state[F.requests] = this.#scenario.requests === Infinity ? 1 : this.#scenario.requests;
    state[F.clockSteps] = this.#scenario.clockSteps;
    state[SERVER + S.step] = STEP.create;
    state[SERVER + S.seenStatus] = UNCONFIRMED;
    return state;
  }

  /** Emits each state that can follow. */
  listSuccessors(state: State, emit: Emit): void {
    for (const part of this.#parts) part.emitSteps(state, emit);
  }
}
