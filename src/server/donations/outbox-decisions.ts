import type { Donation, OutboxEntry } from '../database/schema.ts';

/** Timeout of a create call, in milliseconds. The platform may start to work this late. */
const CREATE_TIMEOUT = 10_000;
/**
 * Time until the platform's lookup certainly finds a new gift, which prevents duplicate gifts. In
 * milliseconds. Longer than {@link CREATE_TIMEOUT}.
 */
export const DEFAULT_FIND_DELAY = 20_000;

export interface PlatformAbilities {
  readonly isCreateIdempotent: boolean;
  readonly hasLookup: boolean;
}

/**
 * If an earlier call may have created the gift and create calls are not idempotent, the relay looks
 * the gift up first. If the platform has no lookup, a person must check whether the gift exists.
 */
export function decideCreation(
  { dispatchedAt }: Pick<OutboxEntry, 'dispatchedAt'>,
  { isCreateIdempotent, hasLookup }: PlatformAbilities,
): 'create' | 'find' | 'review' {
  if (dispatchedAt === null || isCreateIdempotent) return 'create';
  return hasLookup ? 'find' : 'review';
}

/**
 * Decides what to do after the platform did not find a gift. Trusts the response only when the
 * lookup would find the gift of an earlier call.
 * @param startedAt start time of the earlier call, in the future if the clock was set back.
 * @param findDelay time before a new gift can be found, in milliseconds.
 */
export function decideAfterNotFound(
  startedAt: number,
  lookedUpAt: number,
  findDelay = DEFAULT_FIND_DELAY,
): { readonly type: 'create' | 'postpone'; readonly dispatchedAt: number; readonly dueAt: number } {
  const dispatchedAt = Math.min(startedAt, lookedUpAt);
  const dueAt = dispatchedAt + CREATE_TIMEOUT + findDelay;
  return { type: lookedUpAt < dueAt ? 'postpone' : 'create', dispatchedAt, dueAt };
}

/**
 * Decides what to do after a failed call to create or find a gift.
 * @param call.isCreating true if the create call had started.
 * @param call.isNotCreated true if the call certainly did not create the gift.
 * @param call.startedAt start time of the last create call, or `null` if there was none.
 * @returns the start time of the call that may have created the gift as `dispatchedAt`.
 */
export function decideAfterFailedCall(
  { dispatchedAt }: Pick<OutboxEntry, 'dispatchedAt'>,
  call: {
    readonly isCreating: boolean;
    readonly isNotCreated: boolean;
    readonly startedAt: number | null;
  },
  { isCreateIdempotent, hasLookup }: PlatformAbilities,
): { readonly type: 'review' } | { readonly type: 'retry'; readonly dispatchedAt: number | null } {
  const canCallAgain = isCreateIdempotent || hasLookup;
  if (call.isCreating && !call.isNotCreated && !canCallAgain) return { type: 'review' };
  const isUntouched = call.isNotCreated && dispatchedAt === null;
  return { type: 'retry', dispatchedAt: isUntouched ? null : call.startedAt };
}

/** @param gift outbox entry that creates the gift, if there is one. */
export function decideUpdate(
  gift: Pick<OutboxEntry, 'status' | 'platformGiftId'> | undefined,
  { status }: Pick<Donation, 'status'>,
  canUpdate: boolean,
): 'unnecessary' | 'manual' | 'wait' | 'send' {
  if (!gift && status === 'failed') return 'unnecessary';
  if (!canUpdate) return 'manual';
  return gift?.platformGiftId == null ? 'wait' : 'send';
}
