import { toMajorUnits } from '@donation-form/core/money';
import { LOCK_DURATION } from '../database/claims.ts';
import type { Donation, OutboxEntry, OutboxStatus, ReviewDecision } from '../database/schema.ts';
import { getDonationTotal } from './total.ts';

/** Time for which a call can still reach the platform, in milliseconds. */
const MAX_CALL_DURATION = 30_000;

/** Value of {@link ReviewOption.event} that stands for the donation's payment. */
export const PAYMENT = 'payment';

export interface ResolveCommand {
  readonly reference: string;
  readonly decision: ReviewDecision;
  /** ID of the event to resolve, or `payment`. Required only if the decision is ambiguous. */
  readonly event?: string | undefined;
  readonly platformId?: string | undefined;
  readonly by: string;
  readonly note: string;
}

export interface DonationHistory {
  readonly donation: Donation;
  readonly events: readonly OutboxEntry[];
}

/** Thrown before anything has changed. */
export class InvalidDecisionError extends Error {
  override readonly name = 'InvalidDecisionError';
}

export interface ReviewOption {
  readonly decision: ReviewDecision;
  /** The ID of an event, or {@link PAYMENT}. */
  readonly event: string;
  readonly title: string;
  readonly effect: string;
  readonly needsPlatformId: boolean;
}

type OptionDetails = Pick<ReviewOption, 'decision' | 'title' | 'effect'> &
  Partial<Pick<ReviewOption, 'needsPlatformId'>>;

/** Creates an event's options, without those that are not possible. */
function createOptions(event: string, options: readonly (OptionDetails | false)[]): ReviewOption[] {
  return options
    .filter((option) => option !== false)
    .map(({ decision, needsPlatformId = false, ...texts }) => ({
      decision,
      event,
      needsPlatformId,
      ...texts,
    }));
}

/** @param events all events of the donation and its renewals. */
export function listReviewOptions(
  donation: Donation,
  events: readonly OutboxEntry[],
  now: number,
): ReviewOption[] {
  return [
    ...listDonationReviewOptions(donation, events, now),
    ...events.flatMap((event) => listEventReviewOptions(event, events, now)),
  ];
}

function listDonationReviewOptions(
  donation: Donation,
  events: readonly OutboxEntry[],
  now: number,
): readonly ReviewOption[] {
  if (donation.status === 'needs_review')
    return listPaymentReviewOptions(donation, findDonationEntry(donation, events), now);
  return isOpenPledge(donation) ? createOptions(PAYMENT, PLEDGE_OPTIONS) : [];
}

function isOpenPledge({ status, awaiting }: Donation): boolean {
  return status === 'processing' && awaiting === 'donor';
}

const PLEDGE_OPTIONS: readonly OptionDetails[] = [
  {
    decision: 'succeeded',
    title: 'Payment received',
    effect: 'Marks the donation as received and notifies the platform of the payment.',
  },
  {
    decision: 'failed',
    title: 'Payment will not arrive',
    effect: 'Marks the donation as failed and notifies the platform.',
  },
];

export function findDonationEntry(
  { reference }: Pick<Donation, 'reference'>,
  events: readonly OutboxEntry[],
): OutboxEntry | undefined {
  return events.find((event) => event.reference === reference && event.kind === 'donation');
}

export function isGiftCreation({ kind }: Pick<OutboxEntry, 'kind'>): boolean {
  return kind === 'donation' || kind === 'renewal';
}

/** The provider charged a different amount or a failed donation, or the result is unknown. */
function listPaymentReviewOptions(
  donation: Donation,
  donationEvent: OutboxEntry | undefined,
  now: number,
): ReviewOption[] {
  const { total, currency, decimals } = getDonationTotal(donation);
  const amount = `${toMajorUnits(total, decimals)} ${currency}`;
  const refundStep =
    donation.subscriptionId === null
      ? 'Refund the payment first.'
      : 'Refund the payment and cancel the recurring donation first.';
  return createOptions(PAYMENT, [
    {
      decision: 'succeeded',
      title: 'Paid: notify the platform',
      effect:
        `Marks the donation as received and reports the agreed amount of ${amount} to the ` +
        'platform. If the payment provider charged a different amount, first correct the amount ' +
        'with the payment provider, or enter the gift on the platform yourself.',
    },
    !(donationEvent && isBeingSent(donationEvent, now)) && {
      decision: 'entered',
      needsPlatformId: true,
      title: 'Paid, and entered on the platform',
      effect:
        'Marks the donation as received without notifying the platform. ' +
        'Later updates use the gift ID that you enter.',
    },
    {
      decision: 'failed',
      title: 'Refunded or not charged',
      effect:
        `Marks the donation as failed ${donationEvent ? 'and notifies' : 'without notifying'} ` +
        `the platform. ${refundStep}`,
    },
  ]);
}

/** @param events all events of the same donation and its renewals. */
export function listEventReviewOptions(
  event: OutboxEntry,
  events: readonly OutboxEntry[],
  now: number,
): ReviewOption[] {
  const { id, status, dispatchedAt, attempts, lastError: error } = event;
  const needsPlatformId = isGiftCreation(event);
  const entered: OptionDetails = {
    decision: 'entered',
    needsPlatformId,
    title: 'Entered on the platform',
    effect: needsPlatformId
      ? 'Sends nothing to the platform. Later updates use the gift ID that you enter.'
      : 'Sends nothing to the platform.',
  };
  switch (status) {
    case 'delivered':
      return [];
    case 'pending':
      return createOptions(id, [
        attempts > 0 &&
          error !== null &&
          !isBeingSent(event, now) &&
          !isWaitingForGift(event, events) &&
          entered,
      ]);
    case 'needs_review':
      return createOptions(id, [
        {
          decision: 'recorded',
          needsPlatformId: true,
          title: 'Already on the platform',
          effect:
            'Links the donation or renewal to the gift ID that you enter. ' +
            'Sends nothing to the platform.',
        },
        !(dispatchedAt !== null && now - dispatchedAt < MAX_CALL_DURATION) && {
          decision: 'not-recorded',
          title: 'Not on the platform: send again',
          effect:
            'Sends the gift to the platform again. First search the platform by name, amount, ' +
            'and date, because sending a gift that is already there creates a duplicate.',
        },
      ]);
    case 'manual':
      return createOptions(id, [
        entered,
        !needsPlatformId && {
          decision: 'send',
          title: 'Send to the platform',
          effect:
            'Sends the update with the call configured in "platform.update". If the call is ' +
            'missing or does not support the update, the update returns to this list.',
        },
      ]);
  }
}

/** Returns true for an update of a gift that the platform does not have yet. */
function isWaitingForGift(event: OutboxEntry, events: readonly OutboxEntry[]): boolean {
  return (
    !isGiftCreation(event) &&
    !events.some(
      (other) =>
        other.reference === event.reference &&
        isGiftCreation(other) &&
        other.status === 'delivered',
    )
  );
}

function isBeingSent({ dispatchedAt }: OutboxEntry, now: number): boolean {
  return dispatchedAt !== null && now - dispatchedAt < LOCK_DURATION;
}

/** @throws {InvalidDecisionError} if no option or more than one option matches. */
export function findMatchingOption(
  { reference, decision, event: eventId }: ResolveCommand,
  { donation, events }: DonationHistory,
  now: number,
): ReviewOption {
  const listOptions = (at: number): ReviewOption[] =>
    listReviewOptions(donation, events, at).filter((option) =>
      eventId === undefined
        ? isOptionForReference(option, reference, donation, events)
        : option.event === eventId,
    );
  const options = listOptions(now);
  const matching = options.filter((option) => option.decision === decision);
  if (matching.length === 1) return matching[0]!;
  if (matching.length > 1)
    throw new InvalidDecisionError(
      `${matching.length} events of ${reference} can be resolved as ${decision}. ` +
        `Specify one: ${matching.map((option) => `'${option.event}'`).join(', ')}.`,
    );
  if (listOptions(now + LOCK_DURATION).some((option) => option.decision === decision))
    throw new InvalidDecisionError(
      `${reference} cannot be resolved as ${decision} yet, because a call to the platform may ` +
        'still be in progress. Try again in a minute.',
    );
  const statuses = [
    `the payment's status is ${formatStatus(donation.status)}`,
    ...events
      .filter((event) =>
        eventId === undefined ? event.reference === reference : event.id === eventId,
      )
      .map(({ id, status }) => `the status of '${id}' is ${formatStatus(status)}`),
  ].join(', ');
  const possible = options.map((option) => `${option.decision} ('${option.event}')`).join(', ');
  throw new InvalidDecisionError(
    `${eventId === undefined ? '' : `'${eventId}' of `}${reference} cannot be resolved as ` +
      `${decision}: ${statuses}. ` +
      (possible === '' ? 'Nothing needs review.' : `Possible decisions: ${possible}.`),
  );
}

const formatStatus = (status: Donation['status'] | OutboxStatus): string =>
  status.replaceAll('_', ' ');

function isOptionForReference(
  option: ReviewOption,
  reference: string,
  donation: Donation,
  events: readonly OutboxEntry[],
): boolean {
  return option.event === PAYMENT
    ? reference === donation.reference
    : events.some((event) => event.id === option.event && event.reference === reference);
}

/** @throws {InvalidDecisionError} if the gift ID is missing or not accepted. */
export function assertPlatformId(
  { platformId, decision }: ResolveCommand,
  { needsPlatformId }: ReviewOption,
): void {
  if (needsPlatformId && platformId === undefined)
    throw new InvalidDecisionError(
      `The ${decision} decision requires the platform's gift ID. Enter it, in a terminal with ` +
        '--platform-gift-id.',
    );
  if (!needsPlatformId && platformId !== undefined)
    throw new InvalidDecisionError(
      `The ${decision} decision does not accept a gift ID. Remove the gift ID.`,
    );
}
