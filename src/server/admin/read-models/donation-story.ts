import { NEVER } from '../../database/database-clock.ts';
import type {
  AppliedDecision,
  Donation,
  MailKind,
  MailMessageRow,
  OutboxEntry,
  OutboxEntryKind,
  WebhookMessageRow,
} from '../../database/schema.ts';
import { NO_PLATFORM } from '../../donations/outbox-relay.ts';
import { type DonationHistory, isGiftCreation } from '../../donations/review-options.ts';
import { getDonationTotal } from '../../donations/total.ts';
import { getMethod } from '../../reporting/donation-filter.ts';
import { formatDonorName, formatTotal, toDecisionDetail } from './donation-detail.ts';
import {
  DECISION_LABELS,
  endSentence,
  FAILURE_REASON_LABELS,
  formatAmount,
  FREQUENCY_LABELS,
  getStatusLabel,
  METHOD_LABELS,
  removeErrorName,
} from './labels.ts';

export interface StoryEntry {
  /** Undefined if the entry describes what the donation is waiting for. */
  readonly at: number | undefined;
  readonly text: string;
  /** Reference of the renewal. Undefined unless the entry describes the charge of a renewal. */
  readonly renewal?: string | undefined;
  readonly steps: readonly StoryStep[];
  readonly note?: string;
}

/** Display names of payment providers. For other providers, pages display the ID. */
const PROVIDER_NAMES: Readonly<Record<string, string>> = { stripe: 'Stripe', paypal: 'PayPal' };

export function getDonationProviderName({ payload }: Donation): string {
  const { provider } = payload.payment;
  return PROVIDER_NAMES[provider] ?? provider;
}

/** Builds a donation's history, oldest entry first. */
export function buildStory(
  { donation, events }: DonationHistory,
  decisions: readonly AppliedDecision[],
  listMessageSteps: (event: OutboxEntry) => readonly StoryStep[],
): StoryEntry[] {
  const isPledge = getMethod(donation) === 'offline';
  const listSteps = (event: OutboxEntry): StoryStep[] => [
    describeDelivery(event),
    ...listMessageSteps(event),
  ];
  const donationEvent = events.find((event) => event.kind === 'donation');
  const review = decisions.find(
    ({ event, fromStatus: from }) => event === null && from === 'needs_review',
  );
  // The sort is stable, so a decision precedes the events that it causes at the same time.
  const past: StoryEntry[] = [
    {
      at: donation.createdAt,
      text: describeRequest(donation, isPledge),
      steps: isPledge && donationEvent ? listSteps(donationEvent) : [],
    },
    ...(review ? describeReviewedCharge(donation, review) : []),
    ...decisions.map((decision) => describeDecision(decision, events, isPledge)),
    ...events
      .filter((event) => !isPledge || event !== donationEvent)
      .map((event) => ({
        at: event.happenedAt,
        text:
          event === donationEvent && review && event.happenedAt >= review.decidedAt
            ? `The donation was marked as received: ${formatTotal(donation)}.`
            : describeEvent(event, { donation, events }, getDonationProviderName(donation)),
        renewal: event.kind === 'renewal' ? event.reference : undefined,
        steps: listSteps(event),
      })),
    ...describeEnd(donation, events, decisions),
    ...describeDeletion(donation),
  ];
  return [
    ...past.sort((one, other) => one.at! - other.at!),
    ...describePresent(donation, isPledge),
  ];
}

/** The database has the start time of the charge, but not its completion time. */
function describeReviewedCharge(
  donation: Donation,
  { toStatus: decided }: AppliedDecision,
): StoryEntry[] {
  const { failureReason: reason, chargeStartedAt: at } = donation;
  const provider = getDonationProviderName(donation);
  // The decision `failed` sets a missing failure reason to `payment-failed`.
  const wasShown = reason !== null && (decided !== 'failed' || reason !== 'payment-failed');
  const text = wasShown
    ? `The donor saw that the payment failed: ${FAILURE_REASON_LABELS[reason]}. Later, ` +
      `${provider} reported a charge of ${formatTotal(donation)}, so the payment needed ` +
      'review.'
    : `The payment needed review: ${provider} did not charge the agreed amount, or the result of ` +
      'the charge was unknown.';
  return [{ at, text, steps: [] }];
}

function describeRequest(donation: Donation, isPledge: boolean): string {
  const { gift, form } = donation.payload;
  const verb = isPledge ? 'promised' : 'chose to give';
  const method = METHOD_LABELS[getMethod(donation)];
  return (
    `${formatDonorName(donation) || 'The donor'} ${verb} ${formatTotal(donation)} ` +
    `${FREQUENCY_LABELS[gift.frequency]}, by ${method}, on the “${form.id}” form.`
  );
}

function describeDecision(
  decision: AppliedDecision,
  events: readonly OutboxEntry[],
  isPledge: boolean,
): StoryEntry {
  const { by, subject, platformId } = toDecisionDetail(decision, events);
  const from = getStatusLabel(decision.fromStatus, isPledge ? 'donor' : null).toLowerCase();
  const to = getStatusLabel(decision.toStatus).toLowerCase();
  const id = platformId === null ? '' : `, with the gift ID ${platformId}`;
  const label = DECISION_LABELS[decision.decision];
  return {
    at: decision.decidedAt,
    text: `${by} decided: ${label.charAt(0).toLowerCase()}${label.slice(1)}.`,
    steps: [{ text: `Changed ${subject} from “${from}” to “${to}”${id}.` }],
    note: decision.note,
  };
}

/** Describes a payment that needs review, or a failure without an event or decision. */
function describeEnd(
  donation: Donation,
  events: readonly OutboxEntry[],
  decisions: readonly AppliedDecision[],
): StoryEntry[] {
  const { status, failureReason: reason, lastError: error, updatedAt: at } = donation;
  const isDecided = decisions.some(({ event }) => event === null);
  if (status === 'needs_review') {
    const reason = error === null ? '' : `: ${removeErrorName(error)}`;
    return [{ at, text: endSentence(`The payment needs review${reason}`), steps: [] }];
  }
  const isReported = events.some(({ kind }) => kind === 'payment_failed');
  if (status !== 'failed' || isDecided || isReported) return [];
  const cause = reason === null ? '' : `: ${FAILURE_REASON_LABELS[reason]}`;
  return [{ at, text: `The payment failed${cause}. The donor was not charged.`, steps: [] }];
}

function describeDeletion({ donorDeletedAt: at, donorDeletedBy: by }: Donation): StoryEntry[] {
  if (at === null) return [];
  const text =
    by === 'retention'
      ? 'The server deleted the donor’s data because the retention period had expired.'
      : `${by} deleted the donor’s data.`;
  return [{ at, text, steps: [] }];
}

/** Describes what an unfinished payment is waiting for. */
function describePresent(donation: Donation, isPledge: boolean): StoryEntry[] {
  const { status, lastError: error, nextRunAt } = donation;
  const provider = getDonationProviderName(donation);
  const texts: Partial<Record<typeof status, string>> = {
    unconfirmed: `${provider} has not yet confirmed the charge. The server keeps checking.`,
    requires_action:
      'The donor must confirm the payment with their bank or finish it on the payment provider’s ' +
      'page. The server cancels unfinished payments after an hour.',
    processing: isPledge
      ? 'The money has not arrived yet. When it arrives, record it with the buttons above.'
      : 'The bank has not paid yet. A bank payment can take several days.',
  };
  const text = texts[status];
  if (text === undefined) return [];
  const steps: StoryStep[] = [];
  if (error !== null || nextRunAt < NEVER)
    steps.push({
      text: error === null ? '' : endSentence(`The last check failed: ${removeErrorName(error)}`),
      ...(nextRunAt < NEVER && { nextCheckAt: nextRunAt }),
    });
  return [{ at: undefined, text, steps }];
}

/** A consequence of an event. Times are in milliseconds since 1970. */
export interface StoryStep {
  /** Description of the step. Can be empty if `nextCheckAt` is set. */
  readonly text: string;
  readonly at?: number;
  readonly platformGiftId?: string;
  /** Label of the status, if the status needs attention. */
  readonly warning?: string;
  readonly nextRetryAt?: number;
  readonly nextCheckAt?: number;
  /** Reference of the donation or renewal whose message can be sent again. */
  readonly resendable?: string;
}

function describeEvent(
  event: OutboxEntry,
  { donation, events }: DonationHistory,
  provider: string,
): string {
  const { total, currency, decimals } = getDonationTotal(donation);
  const amount = formatAmount(event.payload.amount ?? total, currency, decimals);
  const isPledge = getMethod(donation) === 'offline';
  const subject = event.parentReference === null ? '' : ` for renewal ${event.reference}`;
  const texts: Readonly<Record<OutboxEntryKind, string>> = {
    donation: isSettledLater(donation, events)
      ? `${provider} accepted the payment of ${amount}. The money will arrive within a few days.`
      : `${provider} charged ${amount}.`,
    payment_settled: isPledge ? `The ${amount} arrived.` : `The bank paid ${amount}.`,
    payment_failed: isPledge ? 'The money will not arrive.' : 'The bank did not pay.',
    renewal: `${provider} charged ${amount}${subject}.`,
    renewal_failed: `${provider} could not charge a renewal and will retry.`,
    refund: `${amount} was refunded${subject}.`,
    refund_failed: `The refund of ${amount}${subject} failed.`,
    dispute_opened: `The donor’s bank disputed ${amount}${subject}.`,
    dispute_won: `You won the dispute${subject}.`,
    dispute_lost: `You lost the dispute${subject}. The money went back to the donor.`,
    subscription_resumed: 'The recurring donation is active again.',
    subscription_suspended: `The recurring donation was suspended. ${provider} will not charge the donor until the donation resumes.`,
    subscription_canceled: 'The recurring donation ended.',
  };
  return texts[event.kind];
}

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

function describeDelivery(event: OutboxEntry): StoryStep {
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
                `The platform did not accept this update (tried ${formatTries(attempts)}): ${error}`,
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

/** Describes an undelivered outbound webhook message. */
export function describeWebhook(message: WebhookMessageRow): StoryStep {
  const { url, type, status, attempts, lastError: error, nextRunAt: nextRetryAt } = message;
  const subject = `The ${type} webhook to ${url}`;
  if (status === 'pending' && error === null)
    return { text: `${subject} is about to be sent.`, nextRetryAt };
  const warning = 'Not delivered';
  const failure = `${subject} failed (tried ${formatTries(attempts)}): ${error}.`;
  switch (status) {
    case 'pending':
      return { text: failure, warning, nextRetryAt };
    case 'failed':
      return { text: `${failure} The server will not retry this webhook.`, warning };
    case 'endpoint_gone':
      return {
        text: `${subject} failed, because the URL responded with status 410 (Gone).`,
        warning,
      };
  }
}

const MAIL_SUBJECTS: Readonly<Record<MailKind, string>> = {
  thank_you: 'The thank-you message to the donor',
  receipt: 'The message with a later receipt',
  receipt_void: 'The message that a receipt is no longer valid',
  tribute: 'The message to the person whom the donor named',
};

/** Describes a message. */
export function describeMail(message: MailMessageRow, resendable: string): StoryStep {
  const {
    kind,
    status,
    attempts,
    lastError: error,
    nextRunAt: nextRetryAt,
    updatedAt: at,
  } = message;
  const subject = MAIL_SUBJECTS[kind];
  const tries = attempts === 0 ? '' : ` (tried ${formatTries(attempts)})`;
  switch (status) {
    case 'pending':
      return error === null
        ? { text: `${subject} is about to be sent.`, nextRetryAt }
        : {
            text: endSentence(`${subject} was not sent${tries}: ${error}`),
            warning: 'Not sent',
            nextRetryAt,
          };
    case 'sent':
      return {
        text: `${subject} was sent.${error === null ? '' : ` ${error}`}`,
        at,
        // The email of a sent tribute message is deleted.
        ...(kind !== 'tribute' && { resendable }),
      };
    case 'failed':
      return {
        text: endSentence(`${subject} was not sent${tries}: ${error}`),
        warning: 'Not sent',
        resendable,
      };
    case 'canceled':
      return { text: `${subject} was not sent. ${error}` };
  }
}

const formatTries = (attempts: number): string => (attempts === 1 ? 'once' : `${attempts} times`);
