import type { Donation, OutboxEvent } from '../database/schema.ts';

/**
 * Time after the start of a create call before a "not found" response from the platform can be
 * trusted, in milliseconds. Longer than the call's timeout.
 */
const NOT_FOUND_TRUSTED_AFTER = 30_000;

/** Platform features that keep a repeated call from creating a second gift. */
export interface PlatformAbilities {
  readonly isCreateIdempotent: boolean;
  readonly hasLookup: boolean;
}

/**
 * Decides how to create a gift. If an earlier call may have created it and create calls are not
 * idempotent, the relay must look up the gift first. Without a lookup, a person must check.
 */
export function decideCreation(
  { dispatched_at: dispatchedAt }: Pick<OutboxEvent, 'dispatched_at'>,
  { isCreateIdempotent, hasLookup }: PlatformAbilities,
): 'create' | 'find' | 'review' {
  if (dispatchedAt === null || isCreateIdempotent) return 'create';
  return hasLookup ? 'find' : 'review';
}

/**
 * Decides what to do if the platform did not find a gift. The response is trusted only once no
 * earlier call can still reach the platform.
 * @param startedAt start time of the earlier call. It is in the future if the clock was set back.
 */
export function decideAfterNotFound(
  startedAt: number,
  lookedUpAt: number,
): { readonly type: 'create' | 'postpone'; readonly dispatchedAt: number; readonly dueAt: number } {
  const dispatchedAt = Math.min(startedAt, lookedUpAt);
  const dueAt = dispatchedAt + NOT_FOUND_TRUSTED_AFTER;
  return { type: lookedUpAt < dueAt ? 'postpone' : 'create', dispatchedAt, dueAt };
}

/**
 * Decides what to do after a call to create or find a gift failed.
 * @param call.isCreating true if the create call started.
 * @param call.isNotCreated true if the call certainly created nothing.
 * @param call.startedAt start time of the last create call, or `null` before the first call.
 * @returns a review, or a retry with the start time of a call that may have created the gift.
 */
export function decideAfterFailedCall(
  { dispatched_at: dispatchedAt }: Pick<OutboxEvent, 'dispatched_at'>,
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

/**
 * Decides how to handle an update of a gift.
 * @param gift the event that creates the gift, if any.
 */
export function decideUpdate(
  gift: Pick<OutboxEvent, 'status' | 'platform_gift_id'> | undefined,
  { status }: Pick<Donation, 'status'>,
  canUpdate: boolean,
): 'unnecessary' | 'manual' | 'wait' | 'send' {
  if (!gift && status === 'failed') return 'unnecessary';
  if (!canUpdate) return 'manual';
  return gift?.platform_gift_id == null ? 'wait' : 'send';
}
