import { FundraisingError, RateLimitedError } from '@donation-form/platform-clients/fundraising';
import { isConnectionError } from '../lib/describe-error.ts';
import { CallDeferredError } from './api-quota.ts';
import { GiftNotCreatedError } from './platform-adapter.ts';

/** Statuses with which platforms reject an API key. */
const KEY_REJECTED_STATUSES = [401, 403];
/** Client error statuses after which the same call is retried. */
const TEMPORARY_STATUSES = [408, 409];

/**
 * Statuses after which nothing was recorded. After another, such as a proxy's 500, the platform may
 * have recorded the gift. The specification defines only 200 and 429.
 */
export const DEFAULT_NOT_RECORDED_STATUSES: readonly number[] = [400, 401, 403, 404, 422];

/** Throws a {@link GiftNotCreatedError} if a call certainly created no gift. */
export function rethrowCreateError(
  cause: unknown,
  notRecordedStatuses = DEFAULT_NOT_RECORDED_STATUSES,
): never {
  return rethrowAsAdapterError(cause, (status) => notRecordedStatuses.includes(status));
}

/** Like {@link rethrowCreateError}, for calls that can be repeated safely. */
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
    throw new GiftNotCreatedError(message, {
      cause,
      isKeyRejected: KEY_REJECTED_STATUSES.includes(cause.status),
      isRejected: cause.status < 500 && !KEY_REJECTED_STATUSES.includes(cause.status),
    });
  if (isConnectionError(cause)) throw new GiftNotCreatedError(message, { cause });
  throw cause;
}
