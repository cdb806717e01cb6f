import type { PlatformAbilities } from '../../../src/server/donations/outbox-decisions.ts';
import { endRelay, EVENT_STATUSES, otherServer, recordGift } from './changes.ts';
import {
  CALL_AGES,
  EVENT,
  F,
  NOW,
  RELAY,
  RELAY_EVENT,
  S,
  SERVER,
  SERVER_SIZE,
  STATE_FIELDS,
} from './layout.ts';
import type { State } from './state.ts';
import { Steps } from './steps.ts';

/** The outbox relays of both servers. */
export class RelaySteps extends Steps {
  protected override listSteps(state: State): void {
    for (const server of [0, 1])
      this.#listServerSteps(state, server, SERVER + server * SERVER_SIZE);
  }

  #listServerSteps(state: State, server: number, base: number): void {
    const isGift = state[base + S.relayEvent] === RELAY_EVENT.gift;
    switch (state[base + S.relayStep]) {
      case RELAY.idle:
        if (state[F.isBackingOff]) return;
        for (const [event, fields] of STATE_FIELDS.entries())
          if (state[fields.status] === EVENT.pending && this.isPast(state, fields.due, base))
            this.do('relayClaims', server, false, (next) => this.#claimEntry(next, base, event));
        return;
      case RELAY.find:
        return this.#findGift(state, server, base);
      case RELAY.dispatch:
        return this.#dispatchGift(state, server, base);
      case RELAY.create:
        return this.#createGift(state, server, base);
      case RELAY.save:
      case RELAY.saveUpdate:
        return this.do('deliverySaved', server, false, (next) => {
          const { status } = STATE_FIELDS[next[base + S.relayEvent]!]!;
          if (next[status] === EVENT.pending) next[status] = EVENT.delivered;
          if (isGift) next[F.giftDispatch] = 0;
          endRelay(next, base);
        });
      case RELAY.update:
        return this.#sendUpdate(state, server, base);
    }
  }

  #claimEntry(next: State, base: number, event: number): void {
    const { status, due } = STATE_FIELDS[event]!;
    const other = otherServer(base);
    if (next[other + S.relayStep] !== RELAY.idle && next[other + S.relayEvent] === event)
      next[other + S.hasClaim] = 0;
    next[due] = 1;
    next[base + S.relayEvent] = event;
    next[base + S.hasClaim] = 1;
    if (event === RELAY_EVENT.gift) {
      next[base + S.relayDispatch] = next[F.giftDispatch]!;
      const step = this.code.decideCreation(this.#getSeenEvent(next, base), this.#abilities);
      if (step === 'review') {
        next[status] = EVENT.needsReview;
        return endRelay(next, base);
      }
      next[base + S.relayStep] = step === 'find' ? RELAY.find : RELAY.dispatch;
      return;
    }
    this.#claimUpdate(next, base, event);
  }

  get #abilities(): PlatformAbilities {
    return { isCreateIdempotent: false, hasLookup: this.scenario.hasLookup };
  }

  #claimUpdate(next: State, base: number, event: number): void {
    const { status, due } = STATE_FIELDS[event]!;
    const gift =
      next[F.gift] === EVENT.absent
        ? undefined
        : {
            status: EVENT_STATUSES[next[F.gift]!]!,
            platformGiftId: next[F.gift] === EVENT.delivered ? '1' : null,
          };
    const step = this.code.decideUpdate(gift, this.getCurrentRow(next), true);
    const mustWait =
      next[F.gift] === EVENT.pending ||
      (event === RELAY_EVENT.refund && next[F.update] === EVENT.pending);
    if (step === 'unnecessary') next[status] = EVENT.delivered;
    else if (step === 'manual') next[status] = EVENT.manual;
    else if (mustWait || step === 'wait') next[due] = 1;
    else next[base + S.relayStep] = RELAY.update;
    if (next[base + S.relayStep] === RELAY.idle) endRelay(next, base);
  }

  #findGift(state: State, server: number, base: number): void {
    const isFound = state[F.gifts]! > 0;
    this.do(isFound ? 'giftFound' : 'giftNotFound', server, false, (next) => {
      if (isFound) {
        next[base + S.relayStep] = RELAY.save;
        return;
      }
      const { type } = this.code.decideAfterNotFound(
        this.#getSeenEvent(next, base).dispatchedAt ?? NOW,
        this.getNow(base),
      );
      if (type === 'create') next[base + S.relayStep] = RELAY.dispatch;
      else {
        // A call that started in the future counts as started now.
        const dispatch = next[base + S.relayDispatch] === 3 ? 1 : next[base + S.relayDispatch]!;
        this.#postponeGift(next, base, dispatch, 1);
      }
    });
    if (state[F.faults]! > 0)
      this.do('findFailed', server, true, (next) =>
        this.#handleFailedCall(next, base, { isCreating: false, isNotCreated: false }),
      );
  }

  #dispatchGift(state: State, server: number, base: number): void {
    if (state[base + S.hasClaim] === 1 && state[F.gift] === EVENT.pending)
      this.do('dispatched', server, false, (next) => {
        next[F.giftDispatch] = 1;
        next[base + S.relayStep] = RELAY.create;
      });
    else this.do('claimLost', server, false, (next) => endRelay(next, base));
  }

  #createGift(state: State, server: number, base: number): void {
    this.do('giftCreated', server, false, (next) => {
      recordGift(next);
      next[base + S.relayStep] = RELAY.save;
    });
    if (state[F.faults] === 0) return;
    this.do('giftReplyLost', server, true, (next) => {
      recordGift(next);
      this.#handleFailedCall(next, base, { isCreating: true, isNotCreated: false });
    });
    this.do('giftUnavailable', server, true, (next) => {
      recordGift(next);
      const isNotCreated = this.code.isNotCreated(503);
      this.#handleFailedCall(next, base, { isCreating: true, isNotCreated });
    });
    this.do('giftDelayed', server, true, (next) => {
      next[F.lateGift] = 1;
      this.#handleFailedCall(next, base, { isCreating: true, isNotCreated: false });
    });
    this.do('giftRefused', server, true, (next) =>
      this.#handleFailedCall(next, base, { isCreating: true, isNotCreated: true }),
    );
  }

  #handleFailedCall(
    next: State,
    base: number,
    call: { readonly isCreating: boolean; readonly isNotCreated: boolean },
  ): void {
    next[F.isBackingOff] = 1;
    const event = this.#getSeenEvent(next, base);
    const startedAt = call.isCreating ? NOW : event.dispatchedAt;
    const decision = this.code.decideAfterFailedCall(
      event,
      { ...call, startedAt },
      this.#abilities,
    );
    if (decision.type === 'review') {
      if (next[base + S.hasClaim] === 1 && next[F.gift] === EVENT.pending)
        next[F.gift] = EVENT.needsReview;
      return endRelay(next, base);
    }
    const { dispatchedAt } = decision;
    const dispatch = dispatchedAt === NOW ? 1 : next[base + S.relayDispatch]!;
    this.#postponeGift(next, base, dispatchedAt === null ? 0 : dispatch, 0);
  }

  #postponeGift(next: State, base: number, dispatch: number, due: number): void {
    if (next[base + S.hasClaim] === 1 && next[F.gift] === EVENT.pending) {
      next[F.giftDispatch] = dispatch;
      next[F.giftDue] = due;
    }
    endRelay(next, base);
  }

  #sendUpdate(state: State, server: number, base: number): void {
    const sendUpdate = (next: State): void => {
      if (next[base + S.relayEvent] === RELAY_EVENT.refund) next[F.giftRefunded] = 1;
      else next[F.giftStatus] = next[F.updateKind]!;
    };
    this.do('updateSent', server, false, (next) => {
      sendUpdate(next);
      next[base + S.relayStep] = RELAY.saveUpdate;
    });
    if (state[F.faults] === 0) return;
    this.do('updateReplyLost', server, true, (next) => {
      sendUpdate(next);
      const { due } = STATE_FIELDS[next[base + S.relayEvent]!]!;
      if (next[base + S.hasClaim] === 1) next[due] = 0;
      next[F.isBackingOff] = 1;
      endRelay(next, base);
    });
  }

  #getSeenEvent(state: State, base: number): { readonly dispatchedAt: number | null } {
    const dispatch = state[base + S.relayDispatch]!;
    return {
      dispatchedAt: dispatch === 0 ? null : NOW - CALL_AGES[dispatch]! - (dispatch === 1 ? 1 : 0),
    };
  }
}
