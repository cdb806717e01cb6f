import { FundraisingError, RateLimitedError } from '@donation-form/platform-clients/fundraising';
import { CallDeferredError } from './api-quota.ts';
import { isConnectionError } from '../lib/describe-error.ts';
import { GiftRejectedError } from './platform-adapter.ts';

/** Statuses after which the gift may or may not have been recorded, and those that reject the key. */
const AMBIGUOUS_STATUSES = [408, 409];
const KEY_REJECTED_STATUSES = [401, 403];

/**
 * Throws a {@link GiftRejectedError} if a failed call certainly recorded nothing, or the cause
 * otherwise. The specification defines only the statuses 200 and 429.
 */
export function throwAdapterError(cause: unknown): never {
  const { message, cause: inner } = cause as Error;
  if (inner instanceof CallDeferredError)
    throw new GiftRejectedError(inner.message, { cause, isDeferred: true, retryAt: inner.retryAt });
  if (cause instanceof RateLimitedError)
    throw new GiftRejectedError(message, {
      cause,
      isLimited: true,
      retryAt: cause.rateLimit.resetsAt,
    });
  if (cause instanceof FundraisingError && KEY_REJECTED_STATUSES.includes(cause.status))
    throw new GiftRejectedError(message, { cause, isKeyRejected: true });
  if (
    cause instanceof FundraisingError &&
    cause.status >= 400 &&
    cause.status < 500 &&
    !AMBIGUOUS_STATUSES.includes(cause.status)
  )
    throw new GiftRejectedError(message, { cause, isRejected: true });
  if (isConnectionError(cause)) throw new GiftRejectedError(message, { cause });
  throw cause;
}
