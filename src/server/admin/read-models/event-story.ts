import type { OutboxEntry } from '../../database/schema.ts';
import type { DonationHistory } from '../../donations/review-options.ts';
import { getMethod } from '../../reporting/donation-filter.ts';
import { NO_PLATFORM } from '../../donations/outbox-relay.ts';
import { isGiftCreation } from '../../donations/review-options.ts';
import { getDonationTotal } from '../../donations/total.ts';
import { formatAmount } from './format-amount.ts';
import { endSentence, getStatusLabel, removeErrorName } from './labels.ts';

/**
 * A consequence of an event, such as an update to the platform. Times are in milliseconds since
 * 1970.
 */
export interface StoryStep {
  /** Description of the step. Can be empty if `nextCheckAt` is set. */
  readonly text: string;
  readonly at?: number;
  /** The platform's gift ID, if the step created a gift. */
  readonly platformGiftId?: string;
  /** Label of the status, if the status needs attention. */
  readonly warning?: string;
  readonly nextRetryAt?: number;
  /** Time of the next check with the payment provider. */
  readonly nextCheckAt?: number;
}

/**
 * Describes an event in one or two sentences.
 * @param provider the payment provider's display name.
 */
export function describeEvent(
  event: OutboxEntry,
  { donation, events }: DonationHistory,
  provider: string,
): string {
  const { total, currency, decimals } = getDonationTotal(donation);
  const amount = formatAmount(event.payload.amount ?? total, currency, decimals);
  const isPledge = getMethod(donation) === 'offline';
  const subject = event.parentReference === null ? '' : ` for renewal ${event.reference}`;
  switch (event.kind) {
    case 'donation':
      return isSettledLater(donation, events)
        ? `${provider} accepted the payment of ${amount}. The money will arrive within a few days.`
        : `${provider} charged ${amount}.`;
    case 'payment_settled':
      return isPledge ? `The ${amount} arrived.` : `The bank paid ${amount}.`;
    case 'payment_failed':
      return isPledge ? 'The money will not arrive.' : 'The bank did not pay.';
    case 'renewal':
      return `${provider} charged ${amount}${subject}.`;
    case 'renewal_failed':
      return `${provider} could not charge a renewal and will retry.`;
    case 'refund':
      return `${amount} was refunded${subject}.`;
    case 'refund_failed':
      return `The refund of ${amount}${subject} failed.`;
    case 'dispute_opened':
      return `The donor’s bank disputed ${amount}${subject}.`;
    case 'dispute_won':
      return `You won the dispute${subject}.`;
    case 'dispute_lost':
      return `You lost the dispute${subject}. The money went back to the donor.`;
    case 'subscription_resumed':
      return 'The recurring donation is active again.';
    case 'subscription_suspended':
      return `The recurring donation was suspended. ${provider} will not charge the donor until the donation resumes.`;
    case 'subscription_canceled':
      return 'The recurring donation ended.';
  }
}

/** Returns true if the payment was accepted before the money arrived. */
function isSettledLater(
  { status }: DonationHistory['donation'],
  events: DonationHistory['events'],
): boolean {
  return (
    status === 'processing' ||
    status === 'needs_review' ||
    events.some(({ kind }) => kind === 'payment_settled' || kind === 'payment_failed')
  );
}

/** Describes the delivery of an event to the platform. */
export function describeDelivery(event: OutboxEntry): StoryStep {
  const { status, attempts, lastError, platformGiftId: id, updatedAt: at } = event;
  const error = removeErrorName(lastError);
  switch (status) {
    case 'delivered':
      if (error === NO_PLATFORM)
        return { text: 'No platform was configured, so nothing was sent.' };
      if (error !== null)
        return { text: endSentence(`The platform did not need this update: ${error}`) };
      if (isGiftCreation(event) && id !== null)
        return { text: 'Recorded on the platform as gift', platformGiftId: id, at };
      return isGiftCreation(event)
        ? { text: 'Recorded on the platform, which returned no gift ID.', at }
        : { text: 'Sent to the platform.', at };
    case 'pending':
      return {
        text:
          error === null
            ? 'Not sent to the platform yet.'
            : endSentence(
                'The platform did not accept this update ' +
                  `(tried ${attempts === 1 ? 'once' : `${attempts} times`}): ${error}`,
              ),
        ...(error !== null && { warning: getStatusLabel(status) }),
        nextRetryAt: event.nextRunAt,
      };
    case 'needs_review':
    case 'manual': {
      const text =
        status === 'manual'
          ? 'Someone must enter this update on the platform.'
          : 'The platform may already have this update. Someone must check the platform.';
      const reason = error === null ? '' : endSentence(` Reason: ${error}`);
      return { text: text + reason, warning: getStatusLabel(status) };
    }
  }
}
