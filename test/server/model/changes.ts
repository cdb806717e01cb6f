import type { DonationState, DonationTrigger } from '../../../src/server/donations/transition.ts';
import type { Action } from './actions.ts';
import {
  CHARGE_AGES,
  EVENT,
  F,
  IN_FUTURE,
  LONG_WAIT,
  NOW,
  PAYMENT,
  PROCESSING,
  RELAY,
  S,
  SERVER,
  SERVER_SIZE,
  STATE_FIELDS,
  STATUSES,
  STEP,
  SUCCEEDED,
} from './layout.ts';
import type { State } from './state.ts';

export const EVENT_STATUSES = [
  undefined,
  'pending',
  'delivered',
  'needs_review',
  'manual',
] as const;

export function createRow(status: number, hasPaymentId: number, age: number): DonationState {
  return {
    status: STATUSES[status]!,
    awaiting: status === PROCESSING ? 'bank' : null,
    failureReason: null,
    paymentId: hasPaymentId ? 'p' : null,
    chargeStartedAt: NOW - CHARGE_AGES[age]!,
    subscriptionStatus: null,
  };
}

export function otherServer(base: number): number {
  return base === SERVER ? SERVER + SERVER_SIZE : SERVER;
}

export function readRow(next: State, base: number): void {
  next[base + S.seenStatus] = next[F.status]!;
  next[base + S.seenPaymentId] = next[F.hasPaymentId]!;
  next[base + S.seenAge] = 0;
  next[base + S.isStale] = 0;
}

/** Ends a payment operation. A webhook about a refund then saves the refund. */
export function endOperation(next: State, base: number): void {
  const isRefund = next[base + S.webhook] === 2;
  next.fill(0, base, base + S.webhook + 1);
  if (!isRefund) return;
  next[base + S.webhook] = 2;
  next[base + S.step] = STEP.saveRefund;
}

export function endRelay(next: State, base: number): void {
  next.fill(0, base + S.relayStep, base + SERVER_SIZE);
}

/** Kills a server. What it has sent may still arrive, and the provider repeats its webhook. */
export function killServer(next: State, base: number): void {
  if (next[base + S.step] === STEP.charge) next[F.lateCharge] = 1;
  if (next[base + S.relayStep] === RELAY.create) next[F.lateGift] = 1;
  if (next[base + S.webhook] === 1) next[F.paymentWebhook] = 1;
  if (next[base + S.webhook] === 2) next[F.refundWebhook] = 1;
  next.fill(0, base, base + SERVER_SIZE);
}

export function chargeDonor(next: State): void {
  next[F.payment] = PAYMENT.succeeded;
  next[F.charges]! += 1;
  next[F.paymentWebhook] = 1;
}

export function failPayment(next: State): void {
  next[F.payment] = PAYMENT.failed;
  next[F.paymentWebhook] = 1;
}

export function applyOutcome(next: State, [action, payment]: readonly [Action, number]): void {
  if (action === 'charged') chargeDonor(next);
  else if (action === 'chargeDeclined') failPayment(next);
  else next[F.payment] = payment;
}

export function savePaymentId(next: State, { type }: DonationTrigger): void {
  if (type !== 'failed') next[F.hasPaymentId] = 1;
}

export function recordGift(next: State): void {
  next[F.gifts] = Math.min(next[F.gifts]! + 1, 2);
}

/** Clears times on which nothing depends any more. */
export function forgetUnusedTimes(next: State): void {
  if (next[F.status]! >= SUCCEEDED) {
    next[F.due] = 0;
    next[F.lock] = 0;
    next[F.chargeAge] = 0;
  }
  for (const { status, due } of STATE_FIELDS) if (next[status] !== EVENT.pending) next[due] = 0;
  if (next[F.gift] !== EVENT.pending) next[F.giftDispatch] = 0;
}

/**
 * Lets claims and waits end.
 * @param age index of the age that charges reach.
 */
export function passTime(next: State, age: 1 | 2): void {
  if (age === 2 || next[F.due] !== LONG_WAIT) next[F.due] = 0;
  for (const field of [F.lock, F.giftDue, F.updateDue, F.refundDue]) next[field] = 0;
  if (next[F.giftDispatch] === 1 || (age === 2 && next[F.giftDispatch]! > 0))
    next[F.giftDispatch] = 2;
  next[F.isBackingOff] = 0;
  makeOlder(next, F.chargeAge, age);
  for (const base of [SERVER, SERVER + SERVER_SIZE]) {
    next[base + S.mayWait] = 0;
    if (next[base + S.isStale]) makeOlder(next, base + S.seenAge, age);
  }
}

function makeOlder(next: State, field: number, age: 1 | 2): void {
  if (next[field] === IN_FUTURE) next[field] = age === 2 ? 0 : IN_FUTURE;
  else next[field] = Math.max(next[field]!, age);
}

export function setClockBack(next: State): void {
  next[F.clockSteps] = 0;
  next[F.chargeAge] = IN_FUTURE;
  for (const field of [F.due, F.lock, F.giftDue, F.updateDue, F.refundDue]) next[field] = 1;
  if (next[F.giftDispatch]! > 0) next[F.giftDispatch] = 3;
  for (const base of [SERVER, SERVER + SERVER_SIZE])
    if (next[base + S.isStale]) next[base + S.seenAge] = IN_FUTURE;
}
