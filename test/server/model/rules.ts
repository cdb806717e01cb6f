import {
  EVENT,
  F,
  FAILED,
  GIFT_STATUS_AFTER,
  NEEDS_REVIEW,
  OPERATION,
  SERVER,
  SERVER_SIZE,
  STATE_FIELDS,
  SUCCEEDED,
} from './layout.ts';
import type { State } from './state.ts';

/** Returns the rule that a state breaks, if it breaks one. @param before the state before it. */
export function findViolation(state: State, before: State): string | undefined {
  const charged = state[F.charges]!;
  if (charged > 1) return 'the donor was charged twice';
  if (state[F.gifts]! > 1) return 'the platform recorded the gift twice';
  if (state[F.refunds]! > 1) return 'the platform is notified of one refund twice';
  if (state[F.status] === SUCCEEDED && charged === 0)
    return 'the donation succeeded, but nothing was charged';
  if (state[F.status] === FAILED && charged > 0)
    return 'the donation failed, but the donor was charged';
  if (state[F.gifts]! > 0 && state[F.status] === FAILED && state[F.update] === EVENT.absent)
    return 'the platform has a gift that failed';
  const reported = before[F.status]!;
  if (reported >= SUCCEEDED && state[F.status] !== reported) return 'a final status has changed';
  return undefined;
}

/** Returns true if nothing is left to do, or a person sees what is left. */
export function isEnd(state: State): boolean {
  const status = state[F.status]!;
  if (status < SUCCEEDED) return false;
  for (const base of [SERVER, SERVER + SERVER_SIZE])
    for (const step of OPERATION) if (state[base + step] !== 0) return false;
  if (state[F.paymentWebhook] || state[F.refundWebhook] || state[F.lateCharge]) return false;
  if (state[F.lateGift]) return false;
  // Updates wait until a person has entered the gift.
  const isGiftSeen = state[F.gift]! > EVENT.delivered;
  for (const fields of STATE_FIELDS)
    if (state[fields.status] === EVENT.pending && !isGiftSeen) return false;
  if (state[F.refunded] && !state[F.refunds]) return false;
  return status === NEEDS_REVIEW || isRecordedOrSeen(state);
}

/** Returns true if the platform has what it needs, or a person sees what it lacks. */
function isRecordedOrSeen(state: State): boolean {
  const gift = state[F.gift]!;
  if (gift === EVENT.absent) return state[F.status] === FAILED;
  if (gift === EVENT.delivered && state[F.gifts] !== 1) return false;
  if (gift !== EVENT.delivered || !state[F.wasProcessing]) return true;
  return (
    state[F.giftStatus] === GIFT_STATUS_AFTER[state[F.status] as 4 | 5] || state[F.update]! > 2
  );
}
