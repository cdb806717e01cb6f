import { FundraisingError, RateLimitedError } from '@donation-form/platform-clients/fundraising';
import { CallDeferredError } from './api-quota.ts';
import { isConnectionError } from '../lib/describe-error.ts';
import { GiftNotCreatedError } from './platform-adapter.ts';

/** Statuses with which platforms reject an API key. */
const KEY_REJECTED_STATUSES = [401, 403];
/** Client error statuses after which the server should retry the same call. */
const TEMPORARY_STATUSES = [408, 409];

/**
 * Statuses that mean, by default, that the platform rejected a call and recorded nothing. The
 * specification defines only statuses 200 and 429. A status such as 500 or 503 may come from a
 * proxy after the platform has recorded the gift.
 */
export const DEFAULT_NOT_RECORDED_STATUSES: readonly number[] = [400, 401, 403, 404, 422];

/**
 * Throws a {@link GiftNotCreatedError} if a call certainly created no gift, and otherwise rethrows
 * the original error.
 * @param notRecordedStatuses statuses after which nothing was recorded, as declared by the adapter.
 */
export function rethrowCreateError(cause: unknown, notRecordedStatuses: readonly number[]): never {
  return rethrowAsAdapterError(cause, (status) => notRecordedStatuses.includes(status));
}

/** Rethrows an error like {@link rethrowCreateError}, but for calls that can be repeated safely. */
export function rethrowIdempotentCallError(cause: unknown): never {
  return rethrowAsAdapterError(
    cause,
    (status) => status >= 400 && status < 500 && !TEMPORARY_STATUSES.includes(status),
  );
}

function rethrowAsAdapterError(cause: unknown, isNotRecorded: (status: number) => boolean): never {
  const { message, cause: inner } = cause as Error;
  if (inner instanceof CallDeferredError)
    throw new GiftNotCreatedError(inner.message, {
      cause,
      isDeferred: true,
      retryAt: inner.retryAt,
    });
  if (cause instanceof RateLimitedError)
    throw new GiftNotCreatedError(message, {
      cause,
      isLimited: true,
      retryAt: cause.rateLimit.resetsAt,
    });
  if (cause instanceof FundraisingError && isNotRecorded(cause.status))
    throw new GiftNotCreatedError(message, { cause, ...classifyRejection(cause.status) });
  if (isConnectionError(cause)) throw new GiftNotCreatedError(message, { cause });
  throw cause;
}

/**
 * Determines from a status code whether the platform rejected the API key or this gift. Both
 * results are false for a server error.
 */
function classifyRejection(status: number): { isKeyRejected: boolean; isRejected: boolean } {
  const isKeyRejected = KEY_REJECTED_STATUSES.includes(status);
  return { isKeyRejected, isRejected: !isKeyRejected && status < 500 };
}
