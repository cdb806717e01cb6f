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

type Field = readonly [name: string, max: number, distinct?: (value: number) => number];

/** Keeps nothing of clocks and counters, which do not make a state distinct. */
const ignored = (): number => 0;
/** Keeps only whether the time is set. */
const isSet = (value: number): number => Math.min(value, 1);

const WORLD_FIELDS = [
  // The donation's row.
  ['status', 6],
  ['hasPaymentId', 1],
  ['wasProcessing', 1],
  ['chargeAge', 3, ignored],
  ['due', 2, ignored],
  ['lock', 1, ignored],
  // The payment provider.
  ['payment', 6],
  ['charges', 2],
  ['refunded', 1],
  ['lateCharge', 1],
  ['paymentWebhook', 1],
  ['refundWebhook', 1],
  // The outbox and the platform.
  ['gift', 4],
  ['giftDispatch', 3, isSet],
  ['giftDue', 1, ignored],
  ['updateKind', 2],
  ['update', 4],
  ['updateDue', 1, ignored],
  ['refunds', 2],
  ['refund', 4],
  ['refundDue', 1, ignored],
  ['isBackingOff', 1, ignored],
  ['gifts', 2],
  ['lateGift', 1],
  ['giftStatus', 3],
  ['giftRefunded', 1],
  // What may still go wrong, or be repeated.
  ['faults', 3, ignored],
  ['requests', 3, ignored],
  ['clockSteps', 1, ignored],
] as const satisfies readonly Field[];

/** The payment operation and the relay of each server. */
const SERVER_FIELDS = [
  ['step', 15],
  ['seenStatus', 6],
  ['seenPaymentId', 1],
  ['seenAge', 3, ignored],
  ['isStale', 1],
  ['isFirst', 1],
  ['mayWait', 1, ignored],
  ['result', 6],
  ['webhook', 2],
  ['relayStep', 7],
  ['relayEvent', 2],
  ['relayDispatch', 3, isSet],
  ['hasClaim', 1],
] as const satisfies readonly Field[];

/** Each field of a state, with its greatest value, and its conversion for counting distinct states. */
export const FIELDS: readonly Field[] = [...WORLD_FIELDS, ...SERVER_FIELDS, ...SERVER_FIELDS];

const indexFields = <Name extends string>(
  fields: readonly (readonly [Name, ...unknown[]])[],
): Readonly<Record<Name, number>> =>
  Object.fromEntries(fields.map(([name], index) => [name, index])) as Record<Name, number>;

export const F = indexFields(WORLD_FIELDS);
/** Offset of the first server's fields. The second server's fields follow. */
export const SERVER = WORLD_FIELDS.length;
export const SERVER_SIZE = SERVER_FIELDS.length;
export const S = indexFields(SERVER_FIELDS);
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
