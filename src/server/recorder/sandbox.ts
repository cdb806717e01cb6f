import { z } from 'zod';
import { FundraisingError, RateLimitedError, type FundraisingClient } from '../../platform/fundraising/index.ts';
import { wasNotSent } from '../remote-error.ts';
import { NotRecordedError, type GiftRecorder, type RecordableGift } from './recorder.ts';

const recorded = z.object({ id: z.int() });
const found = z.object({ items: z.array(recorded) });
const path = '/sandbox/gifts';

/** Records at the sandbox platform, by a call of the sandbox's own: the specification shows none that records or finds a gift. */
export function sandboxRecorder(client: FundraisingClient): GiftRecorder {
  return {
    async record(gift) {
      const answer = await client.call('POST', path, { ...gift, summary: summaryOf(gift) }).catch(distinguish);
      return recorded.parse(answer.body).id;
    },
    async find(reference) {
      const answer = await client.call('GET', `${path}?${new URLSearchParams({ reference })}`).catch(distinguish);
      return found.parse(answer.body).items[0]?.id;
    },
  };
}

/** Tells what was certainly not recorded from an answer that leaves it open. Of statuses other than 200 and 429 the specification says nothing. */
function distinguish(cause: unknown): never {
  const { message } = cause as Error;
  if (cause instanceof RateLimitedError) throw new NotRecordedError(message, { cause, isLimited: true, retryAt: cause.rateLimit.resetsAt });
  if (cause instanceof FundraisingError && cause.status >= 400 && cause.status < 500 && ![408, 409].includes(cause.status)) throw new NotRecordedError(message, { cause, isOwnTrouble: true });
  if (wasNotSent(cause)) throw new NotRecordedError(message, { cause });
  throw cause;
}

function summaryOf({ reference, gift, donor, projects, total }: RecordableGift): string {
  const giver = [donor.firstName, donor.lastName].filter(Boolean).join(' ');
  return `${giver} gave ${total} ${gift.currency} ${gift.frequency} to ${projects.map(({ name }) => name).join(', ')} (${reference})`;
}
