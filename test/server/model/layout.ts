import { fieldIndex } from './state.ts';

/** A part of the world that one search covers. */
export interface Scenario {
  /**
   * `card`: charged at once, perhaps after the donor confirms; `debit`: the bank pays later;
   * `page`: the donor approves on the provider's page, and the server charges afterward.
   */
  readonly provider: 'card' | 'debit' | 'page';
  readonly hasLookup: boolean;
  readonly hasRefund: boolean;
  /** How often something goes wrong, the donor acts again, and the clock is set back. */
  readonly faults: number;
  readonly requests: number;
  readonly clockSteps: number;
}

export const STATUSES = [
  undefined,
  'unconfirmed',
  'requires_action',
  'processing',
  'succeeded',
  'failed',
  'needs_review',
] as const;
export const PAYMENTS = [
  undefined,
  'unconfirmed',
  'requires_action',
  'approved',
  'processing',
  'succeeded',
  'failed',
] as const;
export const [UNCONFIRMED, REQUIRES_ACTION, PROCESSING, SUCCEEDED, FAILED, NEEDS_REVIEW] = [
  1, 2, 3, 4, 5, 6,
] as const;
export const PAYMENT = {
  created: 1,
  action: 2,
  approved: 3,
  processing: 4,
  succeeded: 5,
  failed: 6,
};
export const EVENT = { absent: 0, pending: 1, delivered: 2, needsReview: 3, manual: 4 };

/** Steps of a payment operation: the next thing that it does. */
export const STEP = {
  idle: 0,
  create: 1,
  createAgain: 2,
  save: 3,
  charge: 4,
  retrieveAfterCharge: 5,
  cancelAfterCharge: 6,
  retrieveToResume: 7,
  retrieveToCheck: 8,
  cancelOverdue: 9,
  apply: 10,
  cancel: 11,
  saveRefund: 12,
};
/** Steps of a relay. */
export const RELAY = {
  idle: 0,
  find: 1,
  dispatch: 2,
  create: 3,
  save: 4,
  update: 5,
  saveUpdate: 6,
};
export const RELAY_EVENT = { gift: 0, update: 1, refund: 2 };
/** Index of the update that the platform needs for each final status. */
export const GIFT_STATUS_AFTER = { 4: 1, 5: 2 } as const;
export const UPDATE_KINDS = [undefined, 'payment_settled', 'payment_failed'] as const;

export const F = {
  status: fieldIndex('status'),
  hasPaymentId: fieldIndex('hasPaymentId'),
  wasProcessing: fieldIndex('wasProcessing'),
  chargeAge: fieldIndex('chargeAge'),
  due: fieldIndex('due'),
  lock: fieldIndex('lock'),
  payment: fieldIndex('payment'),
  charges: fieldIndex('charges'),
  refunded: fieldIndex('refunded'),
  lateCharge: fieldIndex('lateCharge'),
  paymentWebhook: fieldIndex('paymentWebhook'),
  refundWebhook: fieldIndex('refundWebhook'),
  gift: fieldIndex('gift'),
  giftDispatch: fieldIndex('giftDispatch'),
  giftDue: fieldIndex('giftDue'),
  updateKind: fieldIndex('updateKind'),
  update: fieldIndex('update'),
  updateDue: fieldIndex('updateDue'),
  refunds: fieldIndex('refunds'),
  refund: fieldIndex('refund'),
  refundDue: fieldIndex('refundDue'),
  gifts: fieldIndex('gifts'),
  lateGift: fieldIndex('lateGift'),
  isBackingOff: fieldIndex('isBackingOff'),
  giftStatus: fieldIndex('giftStatus'),
  giftRefunded: fieldIndex('giftRefunded'),
  faults: fieldIndex('faults'),
  requests: fieldIndex('requests'),
  clockSteps: fieldIndex('clockSteps'),
} as const;

export const SERVER = fieldIndex('step0');
export const SERVER_SIZE = fieldIndex('step1') - SERVER;
const at = (name: string): number => fieldIndex(`${name}0`) - SERVER;
export const S = {
  step: at('step'),
  seenStatus: at('seenStatus'),
  seenPaymentId: at('seenPaymentId'),
  seenAge: at('seenAge'),
  isStale: at('isStale'),
  isFirst: at('isFirst'),
  mayWait: at('mayWait'),
  result: at('result'),
  webhook: at('webhook'),
  relayStep: at('relayStep'),
  relayEvent: at('relayEvent'),
  relayDispatch: at('relayDispatch'),
  hasClaim: at('hasClaim'),
} as const;
/** Fields of a server's payment operation and of its relay. */
export const OPERATION = [S.step, S.relayStep] as const;

export const STATE_FIELDS = [
  { status: F.gift, due: F.giftDue },
  { status: F.update, due: F.updateDue },
  { status: F.refund, due: F.refundDue },
] as const;

/** Duration of a claim, in milliseconds. */
export const CLAIM = 60_000;
export const NOW = 1_800_000_000_000;
/** Milliseconds for each age of a charge. The last one is in the future. */
export const CHARGE_AGES = [0, 60_000, 3_600_000, -3_600_000] as const;
export const IN_FUTURE = 3;
/** Value of `due` for the check of a processing payment. Otherwise, 1 stands for a minute or less. */
export const LONG_WAIT = 2;
/** Milliseconds since a call to the platform started. The last one is in the future. */
export const CALL_AGES = [0, 0, 30_000, -3_600_000] as const;
