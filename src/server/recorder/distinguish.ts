import { FundraisingError, RateLimitedError } from '../../platform/fundraising/index.ts';
import { HeldBackError } from '../budget.ts';
import { wasNotSent } from '../remote-error.ts';
import { NotRecordedError } from './recorder.ts';

/** Tells what was certainly not recorded from an answer that leaves it open. Of statuses other than 200 and 429 the specification says nothing. */
export function distinguish(cause: unknown): never {
  const { message, cause: inner } = cause as Error;
  if (inner instanceof HeldBackError) throw new NotRecordedError(inner.message, { cause, isHeldBack: true, retryAt: inner.until });
  if (cause instanceof RateLimitedError) throw new NotRecordedError(message, { cause, isLimited: true, retryAt: cause.rateLimit.resetsAt });
  if (cause instanceof FundraisingError && cause.status >= 400 && cause.status < 500 && ![408, 409].includes(cause.status)) throw new NotRecordedError(message, { cause, isOwnTrouble: true });
  if (wasNotSent(cause)) throw new NotRecordedError(message, { cause });
  throw cause;
}
