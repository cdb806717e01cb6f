import { FundraisingError, RateLimitedError } from '@donation-form/platform-clients/fundraising';
import { CallDeferredError } from './api-quota.ts';
import { isConnectionError } from '../lib/describe-error.ts';
import { GiftRejectedError } from './platform-adapter.ts';

/**
 * Of the statuses from 400 to 499: what leaves open whether it was recorded, and what refuses the
 * key and so every gift.
 */
const OPEN = [408, 409];
const KEY_REFUSED = [401, 403];

/**
 * Tells what was certainly not recorded from an answer that leaves it open. Of statuses other than
 * 200 and 429 the specification says nothing.
 */
export function toAdapterError(cause: unknown): never {
  const { message, cause: inner } = cause as Error;
  if (inner instanceof CallDeferredError)
    throw new GiftRejectedError(inner.message, { cause, isDeferred: true, retryAt: inner.until });
  if (cause instanceof RateLimitedError)
    throw new GiftRejectedError(message, {
      cause,
      isLimited: true,
      retryAt: cause.rateLimit.resetsAt,
    });
  if (cause instanceof FundraisingError && KEY_REFUSED.includes(cause.status))
    throw new GiftRejectedError(message, { cause, isKeyRefused: true });
  if (
    cause instanceof FundraisingError &&
    cause.status >= 400 &&
    cause.status < 500 &&
    !OPEN.includes(cause.status)
  )
    throw new GiftRejectedError(message, { cause, isRejected: true });
  if (isConnectionError(cause)) throw new GiftRejectedError(message, { cause });
  throw cause;
}
