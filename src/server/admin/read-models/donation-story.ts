import { NEVER } from '../../database/claims.ts';
import type { Donation, OutboxEntry, AppliedDecision } from '../../database/schema.ts';
import type { DonationHistory } from '../../donations/review-options.ts';
import { getMethod } from '../../reporting/donation-filter.ts';
import { getDonationTotal } from '../../donations/total.ts';
import { formatDonorName, toDecisionDetail } from './donation-detail.ts';
import { describeDelivery, describeEvent, type StoryStep } from './event-story.ts';
import { formatAmount } from './format-amount.ts';
import {
  DECISION_LABELS,
  FREQUENCY_LABELS,
  METHOD_LABELS,
  endSentence,
  getFailureReasonLabel,
  getStatusLabel,
  removeErrorName,
} from './labels.ts';

/** An entry in a donation's history. */
export interface StoryEntry {
  /**
   * Time in milliseconds since 1970. Undefined if the entry describes what the donation is waiting
   * for.
   */
  readonly at: number | undefined;
  readonly text: string;
  /** Reference of the renewal. Undefined unless the entry describes the charge of a renewal. */
  readonly renewal?: string | undefined;
  /** Consequences of the entry, such as an update to the platform. */
  readonly steps: readonly StoryStep[];
  readonly note?: string;
}

/** Display names of payment providers. For other providers, pages display the ID. */
const PROVIDER_NAMES: Readonly<Record<string, string>> = { stripe: 'Stripe', paypal: 'PayPal' };

/** Returns the payment provider's display name, or its ID if it has no display name. */
export function getProviderName({ payload }: Donation): string {
  const { provider } = payload.payment;
  return PROVIDER_NAMES[provider] ?? provider;
}

/**
 * Builds a donation's history, oldest entry first.
 * @param listWebhookSteps returns a step for each undelivered webhook about an event.
 */
export function buildStory(
  { donation, events }: DonationHistory,
  decisions: readonly AppliedDecision[],
  listWebhookSteps: (event: OutboxEntry) => readonly StoryStep[],
): StoryEntry[] {
  const isPledge = getMethod(donation) === 'offline';
  const listSteps = (event: OutboxEntry): StoryStep[] => [
    describeDelivery(event),
    ...listWebhookSteps(event),
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
            ? `The donation was marked as received: ${formatDonationTotal(donation)}.`
            : describeEvent(event, { donation, events }, getProviderName(donation)),
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

function formatDonationTotal(donation: Donation): string {
  const { total, currency, decimals } = getDonationTotal(donation);
  return formatAmount(total, currency, decimals);
}

/**
 * Describes the charge of a payment that needed review. Uses the start time of the charge, because
 * the database does not have the completion time.
 */
function describeReviewedCharge(
  donation: Donation,
  { toStatus: decided }: AppliedDecision,
): StoryEntry[] {
  const { failureReason: reason, chargeStartedAt: at } = donation;
  const provider = getProviderName(donation);
  // The decision `failed` sets a missing failure reason to `payment-failed`.
  const wasShown = reason !== null && (decided !== 'failed' || reason !== 'payment-failed');
  const text = wasShown
    ? `The donor saw that the payment failed: ${getFailureReasonLabel(reason)}. Later, ` +
      `${provider} reported a charge of ${formatDonationTotal(donation)}, so the payment needed ` +
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
    `${formatDonorName(donation) || 'The donor'} ${verb} ${formatDonationTotal(donation)} ` +
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
  if (status === 'needs_review')
    return [
      {
        at,
        text: endSentence(
          `The payment needs review${error === null ? '' : `: ${removeErrorName(error)}`}`,
        ),
        steps: [],
      },
    ];
  const isReported = events.some(({ kind }) => kind === 'payment_failed');
  if (status !== 'failed' || isDecided || isReported) return [];
  const cause = reason === null ? '' : `: ${getFailureReasonLabel(reason)}`;
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
  const provider = getProviderName(donation);
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
  return [
    {
      at: undefined,
      text,
      steps: [],
      ...((error !== null || nextRunAt < NEVER) && {
        steps: [
          {
            text:
              error === null ? '' : endSentence(`The last check failed: ${removeErrorName(error)}`),
            ...(nextRunAt < NEVER && { nextCheckAt: nextRunAt }),
          },
        ],
      }),
    },
  ];
}
