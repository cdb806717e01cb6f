import {
  applyOutcome,
  chargeDonor,
  failPayment,
  killServer,
  passTime,
  recordGift,
  setClockBack,
} from './changes.ts';
import { F, IN_FUTURE, PAYMENT, RELAY, S, SERVER, SERVER_SIZE, SUCCEEDED } from './layout.ts';
import type { State } from './state.ts';
import { Steps } from './steps.ts';

/** The donor, the bank, the provider, the network, the clock, and what kills servers. */
export class WorldSteps extends Steps {
  protected override listSteps(state: State): void {
    this.#listProviderSteps(state);
    this.#listClockSteps(state);
    if (state[F.faults] === 0) return;
    for (const server of [0, 1]) {
      const base = SERVER + server * SERVER_SIZE;
      if (state[base + S.step] || state[base + S.relayStep])
        this.do('killed', server, true, (next) => killServer(next, base));
    }
  }

  #listProviderSteps(state: State): void {
    const { provider, hasRefund } = this.scenario;
    const canFail = state[F.faults]! > 0;
    const payment = state[F.payment];
    // The donor reaches the provider's page through the server's response.
    if (payment === PAYMENT.action && state[F.hasPaymentId]) {
      this.do('donorConfirms', 0, false, (next) => {
        if (provider === 'page') next[F.payment] = PAYMENT.approved;
        else chargeDonor(next);
        next[F.paymentWebhook] = 1;
      });
      this.do('donorRefuses', 0, false, failPayment);
    }
    if (payment === PAYMENT.processing) {
      this.do('bankPays', 0, false, chargeDonor);
      this.do('bankRefuses', 0, false, failPayment);
    }
    if (state[F.lateCharge]) {
      this.do('lateChargeLost', 0, false, (next) => void (next[F.lateCharge] = 0));
      for (const outcome of this.listChargeOutcomes(state))
        this.do('lateChargeArrives', 0, false, (next) => {
          next[F.lateCharge] = 0;
          applyOutcome(next, outcome);
        });
    }
    if (state[F.lateGift]) {
      this.do('lateGiftLost', 0, false, (next) => void (next[F.lateGift] = 0));
      this.do('lateGiftArrives', 0, false, (next) => {
        next[F.lateGift] = 0;
        recordGift(next);
      });
    }
    if (hasRefund && payment === PAYMENT.succeeded && !state[F.refunded])
      this.do('refunded', 0, false, (next) => {
        next[F.refunded] = 1;
        next[F.refundWebhook] = 1;
      });
    if (canFail && payment! >= PAYMENT.processing && !state[F.paymentWebhook])
      this.do('paymentWebhookRepeated', 0, true, (next) => void (next[F.paymentWebhook] = 1));
    if (canFail && state[F.paymentWebhook])
      this.do('paymentWebhookLost', 0, true, (next) => void (next[F.paymentWebhook] = 0));
    if (canFail && state[F.refunded] && !state[F.refundWebhook])
      this.do('refundWebhookRepeated', 0, true, (next) => void (next[F.refundWebhook] = 1));
  }

  /** A call to the platform ends within half a minute, so the clock waits for it. */
  #listClockSteps(state: State): void {
    const isSending =
      state[F.lateGift] === 1 ||
      state[SERVER + S.relayStep] === RELAY.create ||
      state[SERVER + SERVER_SIZE + S.relayStep] === RELAY.create;
    if (isSending) return;
    this.do('minute', 0, false, (next) => passTime(next, 1));
    // Nothing but an unfinished payment, or a call in the future, depends on longer times.
    if (state[F.status]! < SUCCEEDED || state[F.giftDispatch] === IN_FUTURE)
      this.do('halfDay', 0, false, (next) => passTime(next, 2));
    if (state[F.clockSteps]! > 0) this.do('clockSetBack', 0, false, setClockBack);
  }
}
