import type { DonationState, DonationTrigger } from '../../../src/server/donations/transition.ts';
import type { Payment } from '../../../src/server/payments/payment-gateway.ts';
import {
  applyOutcome,
  createRow,
  endOperation,
  failPayment,
  otherServer,
  readRow,
  savePaymentId,
} from './changes.ts';
import {
  EVENT,
  F,
  LONG_WAIT,
  PAYMENT,
  PAYMENTS,
  PROCESSING,
  REQUIRES_ACTION,
  S,
  SERVER,
  SERVER_SIZE,
  STATUSES,
  STEP,
  SUCCEEDED,
  UNCONFIRMED,
  UPDATE_KINDS,
} from './layout.ts';
import type { State } from './state.ts';
import { Steps } from './steps.ts';

/** The payment operations of both servers, with the donor's requests and the webhooks. */
export class PaymentSteps extends Steps {
  protected override listSteps(state: State): void {
    for (const server of [0, 1])
      this.#listOperationSteps(state, server, SERVER + server * SERVER_SIZE);
  }

  #listOperationSteps(state: State, server: number, base: number): void {
    switch (state[base + S.step]) {
      case STEP.idle:
        return this.#listNewOperations(state, server, base);
      case STEP.create:
      case STEP.createAgain:
        return this.#createPayment(state, server, base);
      case STEP.save:
        return this.do('saved', server, false, (next) => this.#saveChargeStart(next, base));
      case STEP.charge:
        return this.#charge(state, server, base);
      case STEP.retrieveAfterCharge:
      case STEP.retrieveToResume:
      case STEP.retrieveToCheck:
        return this.#retrieve(state, server, base);
      case STEP.cancelAfterCharge:
      case STEP.cancelOverdue:
      case STEP.cancel:
        return this.#cancel(state, server, base);
      case STEP.apply:
        return this.do('applied', server, false, (next) => this.#apply(next, base));
      case STEP.saveRefund:
        return this.do('refundSaved', server, false, (next) => this.#saveRefund(next, base));
    }
  }

  #listNewOperations(state: State, server: number, base: number): void {
    const status = state[F.status]!;
    const isInProgress = this.code.IN_PROGRESS.includes(STATUSES[status]!);
    if (isInProgress && this.isPast(state, F.due, base) && this.isPast(state, F.lock, base))
      this.do('checkStarted', server, false, (next) => {
        next[F.due] = 1;
        next[F.lock] = 1;
        this.#startCheck(next, base, true);
      });
    if (state[F.requests]! > 0) this.#listDonorRequests(state, server, base);
    if (state[F.paymentWebhook])
      this.do('paymentWebhook', server, false, (next) => {
        next[F.paymentWebhook] = 0;
        if (!next[F.hasPaymentId] || status === SUCCEEDED) return;
        next[base + S.webhook] = 1;
        this.#startCheck(next, base, false);
      });
    if (state[F.refundWebhook])
      this.do('refundWebhook', server, false, (next) => {
        next[F.refundWebhook] = 0;
        next[base + S.webhook] = 2;
        if (status === SUCCEEDED) next[base + S.step] = STEP.saveRefund;
        else this.#startCheck(next, base, false);
      });
  }

  #listDonorRequests(state: State, server: number, base: number): void {
    const status = state[F.status];
    if (status === UNCONFIRMED && this.isPast(state, F.lock, base))
      this.do('donorRepeats', server, false, (next) => {
        this.#countRequest(next);
        next[F.due] = 1;
        next[F.lock] = 1;
        readRow(next, base);
        next[base + S.step] = next[F.hasPaymentId] ? STEP.retrieveToResume : STEP.create;
      });
    if (status === UNCONFIRMED || status === REQUIRES_ACTION)
      this.do('donorPolls', server, false, (next) => {
        this.#countRequest(next);
        this.#startCheck(next, base, false);
      });
    if (status === REQUIRES_ACTION)
      this.do('donorCancels', server, false, (next) => {
        this.#countRequest(next);
        readRow(next, base);
        next[base + S.step] = STEP.cancel;
      });
  }

  #countRequest(next: State): void {
    if (this.scenario.requests !== Infinity) next[F.requests]! -= 1;
  }

  #startCheck(next: State, base: number, isWorker: boolean): void {
    readRow(next, base);
    next[base + S.mayWait] = isWorker ? 0 : Math.min(next[F.due]!, 1);
    const check = this.code.decideCheck(this.#getSeenRow(next, base), this.getNow(base));
    if (check === 'retrieve') next[base + S.step] = STEP.retrieveToCheck;
    else if (check === 'fail') this.#giveUp(next, base);
    else this.#postpone(next, base);
  }

  #createPayment(state: State, server: number, base: number): void {
    this.do('paymentCreated', server, false, (next) => {
      if (next[F.payment] === 0)
        next[F.payment] = this.scenario.provider === 'page' ? PAYMENT.action : PAYMENT.created;
      next[base + S.result] = next[F.payment]!;
      next[base + S.isFirst] = 1;
      next[base + S.step] = next[F.payment] === PAYMENT.created ? STEP.save : STEP.apply;
    });
    if (state[F.faults] === 0) return;
    if (state[base + S.step] === STEP.create)
      this.do('createLost', server, true, (next) => {
        next[base + S.step] = STEP.createAgain;
      });
    else this.do('createFailed', server, true, (next) => this.#giveUp(next, base));
  }

  #giveUp(next: State, base: number): void {
    const seen = this.#getSeenRow(next, base);
    this.#applyTrigger(next, { type: 'not_charged', reason: 'payment-failed' }, seen);
    endOperation(next, base);
  }

  #saveChargeStart(next: State, base: number): void {
    if (this.#startCharge(next, base) && next[F.status] === UNCONFIRMED)
      next[base + S.step] = STEP.charge;
    else endOperation(next, base);
  }

  /** Saves the start of a charge and reads the row. @returns false if it is not allowed. */
  #startCharge(next: State, base: number): boolean {
    const row = this.getCurrentRow(next);
    const isAllowed = this.code.transition(row, { type: 'charge_started', paymentId: 'p' }, row);
    if (isAllowed) {
      const other = otherServer(base);
      if (next[other + S.step] !== STEP.idle && next[other + S.isStale] === 0) {
        next[other + S.isStale] = 1;
        next[other + S.seenAge] = next[F.chargeAge]!;
      }
      next[F.hasPaymentId] = 1;
      next[F.chargeAge] = 0;
    }
    readRow(next, base);
    return isAllowed !== undefined;
  }

  #charge(state: State, server: number, base: number): void {
    for (const outcome of this.listChargeOutcomes(state)) {
      this.do(outcome[0], server, false, (next) => {
        applyOutcome(next, outcome);
        next[base + S.result] = outcome[1];
        next[base + S.step] = STEP.apply;
      });
      if (state[F.faults]! > 0 && outcome[0] === 'charged')
        this.do('chargedReplyLost', server, true, (next) => {
          applyOutcome(next, outcome);
          this.#handleFailedCharge(next, base, false);
        });
    }
    if (state[F.faults] === 0) return;
    this.do('chargeDelayed', server, true, (next) => {
      next[F.lateCharge] = 1;
      this.#handleFailedCharge(next, base, false);
    });
    this.do('chargeRefused', server, true, (next) => this.#handleFailedCharge(next, base, true));
  }

  #handleFailedCharge(next: State, base: number, isNotCharged: boolean): void {
    const isFirst = next[base + S.isFirst] === 1;
    const step = this.code.decideAfterFailedCharge({
      isNotCharged,
      isFirst,
      chargesInOneCall: false,
    });
    next[base + S.result] = this.scenario.provider === 'page' ? PAYMENT.approved : PAYMENT.created;
    next[base + S.step] = step === 'cancel' ? STEP.cancelAfterCharge : STEP.retrieveAfterCharge;
  }

  #retrieve(state: State, server: number, base: number): void {
    const step = state[base + S.step];
    this.do('retrieved', server, false, (next) => {
      const payment = next[F.payment]!;
      next[base + S.result] = payment;
      if (step === STEP.retrieveToCheck) this.#decideAfterCheck(next, base);
      else if (step === STEP.retrieveToResume && payment === PAYMENT.created) {
        next[base + S.isFirst] = 0;
        next[base + S.step] = STEP.save;
      } else if (payment === PAYMENT.approved && step === STEP.retrieveAfterCharge)
        this.#postpone(next, base);
      else next[base + S.step] = STEP.apply;
    });
    if (state[F.faults] === 0) return;
    this.do('retrieveFailed', server, true, (next) => {
      if (step === STEP.retrieveToResume) endOperation(next, base);
      else this.#postpone(next, base);
    });
  }

  #decideAfterCheck(next: State, base: number): void {
    const payment = { status: PAYMENTS[next[base + S.result]!]! };
    const seen = this.#getSeenRow(next, base);
    const options = { now: this.getNow(base), chargesInOneCall: false };
    switch (this.code.decideAfterCheck(seen, payment, options)) {
      case 'interpret': {
        // If the next check is not due yet, the donor's page does not delay it.
        const decision = this.code.interpretPayment(seen, payment, true);
        const isDone = decision.type === 'postpone' && next[base + S.mayWait] === 1;
        if (isDone && seen.status !== 'processing') return endOperation(next, base);
        next[base + S.step] = STEP.apply;
        return;
      }
      case 'cancel':
        next[base + S.step] = STEP.cancelOverdue;
        return;
      case 'review':
        this.#applyTrigger(next, { type: 'contradicted' }, seen);
        return endOperation(next, base);
      case 'none':
        return endOperation(next, base);
    }
  }

  #cancel(state: State, server: number, base: number): void {
    const step = state[base + S.step];
    // A payment that the donor approved needs no cancellation.
    if (step === STEP.cancelAfterCharge && this.scenario.provider === 'page')
      return this.do('gaveUp', server, false, (next) => this.#giveUp(next, base));
    const cancelPayment = (next: State): number => {
      const payment = next[F.payment]!;
      if (payment === PAYMENT.succeeded || payment === PAYMENT.processing) return payment;
      // The provider of a page cannot cancel, but nothing is charged unless the server does so.
      if (this.scenario.provider !== 'page') failPayment(next);
      return PAYMENT.failed;
    };
    this.do('canceled', server, false, (next) => {
      next[base + S.result] = cancelPayment(next);
      next[base + S.step] = STEP.apply;
    });
    if (state[F.faults] === 0) return;
    this.do('cancelFailed', server, true, (next) => {
      cancelPayment(next);
      if (step === STEP.cancel) endOperation(next, base);
      else this.#postpone(next, base);
    });
  }

  /** Updates the donation from the payment that the provider reported. */
  #apply(next: State, base: number): void {
    const result = next[base + S.result]!;
    const seen = this.#getSeenRow(next, base);
    const payment = { status: PAYMENTS[result]! } satisfies Pick<Payment, 'status'>;
    const decision = this.code.interpretPayment(seen, payment, true);
    if (decision.type === 'postpone') return this.#postpone(next, base);
    if (decision.type !== 'charge') {
      if (this.#applyTrigger(next, decision, seen)) savePaymentId(next, decision);
      return endOperation(next, base);
    }
    const isFirst = this.#applyTrigger(next, { type: 'approved' }, seen);
    if (isFirst) next[F.due] = 1;
    this.#startCharge(next, base);
    next[base + S.isFirst] = isFirst ? 1 : 0;
    next[base + S.mayWait] = 0;
    if (next[base + S.seenStatus] === UNCONFIRMED) next[base + S.step] = STEP.charge;
    else endOperation(next, base);
  }

  /** Changes the donation as the production code decides. @returns false if nothing changed. */
  #applyTrigger(next: State, trigger: DonationTrigger, seen: DonationState): boolean {
    const result = this.code.transition(this.getCurrentRow(next), trigger, seen);
    if (!result) return false;
    const { status } = result.change;
    if (status) next[F.status] = STATUSES.indexOf(status);
    if (status === 'processing') next[F.wasProcessing] = 1;
    if (status === 'requires_action') next[F.due] = 1;
    if (status === 'processing') next[F.due] = LONG_WAIT;
    if (result.notify === 'donation' && next[F.gift] === EVENT.absent) {
      next[F.gift] = EVENT.pending;
      next[F.giftDue] = 0;
    }
    const kind = UPDATE_KINDS.indexOf(result.notify as (typeof UPDATE_KINDS)[number]);
    if (kind > 0 && next[F.update] === EVENT.absent) {
      next[F.updateKind] = kind;
      next[F.update] = EVENT.pending;
      next[F.updateDue] = 0;
    }
    return true;
  }

  /** Schedules the next check, unless the status has changed meanwhile. */
  #postpone(next: State, base: number): void {
    const isUnchanged = next[F.status] === next[base + S.seenStatus];
    const isWaiting = next[base + S.mayWait] === 1 && next[F.status] !== PROCESSING;
    if (isUnchanged && !isWaiting) {
      next[F.due] = next[F.status] === PROCESSING ? LONG_WAIT : 1;
      next[F.lock] = 0;
    }
    endOperation(next, base);
  }

  #saveRefund(next: State, base: number): void {
    const ids = [1, 2].map(() => this.code.getRefundEventId());
    if (next[F.refunds] === 0 || ids[0] !== ids[1]) {
      next[F.refunds]! += 1;
      next[F.refund] = EVENT.pending;
      next[F.refundDue] = 0;
    }
    next[base + S.webhook] = 0;
    endOperation(next, base);
  }

  #getSeenRow(state: State, base: number): DonationState {
    const isStale = state[base + S.isStale]!;
    const age = isStale ? state[base + S.seenAge]! : state[F.chargeAge]!;
    const row = createRow(state[base + S.seenStatus]!, state[base + S.seenPaymentId]!, age);
    // Charges that started at different times may have the same age.
    return isStale ? { ...row, chargeStartedAt: row.chargeStartedAt - 1 } : row;
  }
}
