import { FundraisingError, RateLimitedError } from '@donation-form/platform-clients/fundraising';
import { HeldBackError } from './api-quota.ts';
import { wasNotSent } from '../lib/describe-error.ts';
import { NotRecordedError } from './platform-adapter.ts';

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
export function distinguish(cause: unknown): never {
  const { message, cause: inner } = cause as Error;
  if (inner instanceof HeldBackError)
    throw new NotRecordedError(inner.message, { cause, isHeldBack: true, retryAt: inner.until });
  if (cause instanceof RateLimitedError)
    throw new NotRecordedError(message, {
      cause,
      isLimited: true,
      retryAt: cause.rateLimit.resetsAt,
    });
  if (cause instanceof FundraisingError && KEY_REFUSED.includes(cause.status))
    throw new NotRecordedError(message, { cause, isKeyRefused: true });
  if (
    cause instanceof FundraisingError &&
    cause.status >= 400 &&
    cause.status < 500 &&
    !OPEN.includes(cause.status)
  )
    throw new NotRecordedError(message, { cause, isOwnTrouble: true });
  if (wasNotSent(cause)) throw new NotRecordedError(message, { cause });
  throw cause;
}
