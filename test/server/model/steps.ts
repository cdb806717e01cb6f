import type { DonationState } from '../../../src/server/donations/transition.ts';
import { type Action, ACTION_CODES } from './actions.ts';
import { createRow, forgetUnusedTimes } from './changes.ts';
import { CLAIM, F, NOW, PAYMENT, type Scenario, SERVER } from './layout.ts';
import type { ProductionCode } from './production-code.ts';
import { FIELD_COUNT, type State } from './state.ts';

/** Receives each successor of a state. The state is reused, so it must be copied. */
export type Emit = (action: number, server: number, isFault: boolean, state: State) => void;

/** Lists the steps that one part of the world can take. */
export abstract class Steps {
  protected readonly code: ProductionCode;
  protected readonly scenario: Scenario;
  readonly #next: State = new Uint8Array(FIELD_COUNT);
  #current: State = new Uint8Array(FIELD_COUNT);
  #emit: Emit = () => undefined;

  constructor(code: ProductionCode, scenario: Scenario) {
    this.code = code;
    this.scenario = scenario;
  }

  /** Emits each state that can follow. */
  emitSteps(state: State, emit: Emit): void {
    this.#current = state;
    this.#emit = emit;
    this.listSteps(state);
  }

  protected abstract listSteps(state: State): void;

  protected do(
    action: Action,
    server: number,
    isFault: boolean,
    change: (next: State) => void,
  ): void {
    const next = this.#next;
    next.set(this.#current);
    if (isFault && this.scenario.faults !== Infinity) next[F.faults]! -= 1;
    change(next);
    forgetUnusedTimes(next);
    this.#emit(ACTION_CODES[action], server, isFault, next);
  }

  /** Returns true if a server sees that a claim or wait has ended. */
  protected isPast(state: State, field: number, base: number): boolean {
    return state[field] === 0 || this.code.claimOffsets[base === SERVER ? 0 : 1] >= CLAIM;
  }

  protected getNow(base: number): number {
    return NOW + this.code.clockOffsets[base === SERVER ? 0 : 1];
  }

  protected getCurrentRow(state: State): DonationState {
    return createRow(state[F.status]!, state[F.hasPaymentId]!, state[F.chargeAge]!);
  }

  /** Lists what the provider may do with a request to charge. */
  protected listChargeOutcomes(state: State): readonly (readonly [Action, number])[] {
    const payment = state[F.payment]!;
    const { provider } = this.scenario;
    if (provider === 'page')
      return payment === PAYMENT.approved
        ? [
            ['charged', PAYMENT.succeeded],
            ['chargeDeclined', PAYMENT.failed],
          ]
        : [['chargeAnswered', payment]];
    if (payment !== PAYMENT.created) return [['chargeAnswered', payment]];
    return provider === 'debit'
      ? [
          ['chargeAccepted', PAYMENT.processing],
          ['chargeDeclined', PAYMENT.failed],
        ]
      : [
          ['charged', PAYMENT.succeeded],
          ['chargeNeedsAction', PAYMENT.action],
          ['chargeDeclined', PAYMENT.failed],
        ];
  }
}
