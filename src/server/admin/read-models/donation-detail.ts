import type { DonationStatus } from '@donation-form/core/donation';
import { NEVER } from '../../database/database-clock.ts';
import type { AppliedDecision, Donation, OutboxEntry } from '../../database/schema.ts';
import { type DonationHistory, listReviewOptions } from '../../donations/review-options.ts';
import { listProjectAmounts } from '../../donations/to-platform-gift.ts';
import { getDonationTotal } from '../../donations/total.ts';
import { METHOD_BY_TYPE } from '../../reporting/donation-filter.ts';
import type { GiftAidCancellation } from '../actions/gift-aid.ts';
import {
  DECISION_LABELS,
  EVENT_KIND_LABELS,
  FAILURE_REASON_LABELS,
  formatAmount,
  FREQUENCY_LABELS,
  METHOD_LABELS,
  removeErrorName,
} from './labels.ts';

export type LabeledValue = readonly [name: string, value: string];

export type DecisionDetail = ReturnType<typeof toDecisionDetail>;
/** Times are ISO 8601. Amounts are in major units with their currency. */
export type DonationDetail = ReturnType<typeof toDonationDetail>;

export function toDonationDetail(
  { donation, events }: DonationHistory,
  decisions: readonly AppliedDecision[],
  giftAidCancellation: GiftAidCancellation | undefined,
  now: number,
) {
  return {
    reference: donation.reference,
    organization: donation.organization,
    organizationName: donation.payload.organization,
    createdAt: toIsoTime(donation.createdAt),
    total: formatTotal(donation),
    donorName: formatDonorName(donation),
    donationFields: listDonationFields(donation),
    donorFields: [
      ...listDonorFields(donation),
      ...listGiftAidFields(donation, giftAidCancellation),
    ],
    /** True if the staff can cancel a Gift Aid declaration. */
    canCancelGiftAid: donation.payload.giftAid !== undefined && !giftAidCancellation?.isEffective,
    status: donation.status,
    paymentFields: listPaymentFields(donation),
    lastError: removeErrorName(donation.lastError),
    nextRetryAt: isPaymentInProgress(donation) ? toIsoTime(donation.nextRunAt) : null,
    platformId: donation.platformGiftId,
    events: events.map((event) => toEventDetail(event, donation)),
    decisions: decisions.map((decision) => toDecisionDetail(decision, events)),
    reviewOptions: listReviewOptions(donation, events, now),
  };
}

export function formatDonorName({ payload: { donor } }: Donation): string {
  return donor.organization ?? joinNonEmpty(' ', donor.firstName, donor.lastName);
}

export function formatTotal(donation: Donation): string {
  const { total, currency, decimals } = getDonationTotal(donation);
  return formatAmount(total, currency, decimals);
}

/** Formats the amount that an event charged, refunded, or disputed, or returns `null`. */
export function formatEventAmount(event: OutboxEntry, donation: Donation): string | null {
  const { decimals, currency, total } = getDonationTotal(donation);
  const { amount } = event.payload;
  const eventAmount = amount ?? (event.kind === 'donation' ? total : undefined);
  return eventAmount === undefined ? null : formatAmount(eventAmount, currency, decimals);
}

export const IN_PROGRESS_STATUSES: readonly DonationStatus[] = [
  'unconfirmed',
  'requires_action',
  'processing',
];

export function isPaymentInProgress({ status, nextRunAt }: Donation): boolean {
  return IN_PROGRESS_STATUSES.includes(status) && nextRunAt < NEVER;
}

function listDonationFields(donation: Donation): LabeledValue[] {
  const { gift, form, tracking = {}, decimals } = donation.payload;
  const { amount, coveredFees, currency, frequency, comment, segment, anonymous, tribute } = gift;
  return omitEmptyFields([
    ['Donation', formatAmount(amount, currency, decimals)],
    ['Fees covered', coveredFees > 0 && formatAmount(coveredFees, currency, decimals)],
    ['Total charged', formatTotal(donation)],
    ['Frequency', FREQUENCY_LABELS[frequency]],
    ['Project', formatProjectAmounts(donation)],
    ['Comment', comment],
    [
      'Tribute',
      tribute &&
        `${tribute.kind}: ${joinNonEmpty(' · ', tribute.name, tribute.message, tribute.notifyEmail)}`,
    ],
    ['Anonymous', anonymous && 'yes'],
    ['Segment', segment],
    ...Object.entries(tracking),
    ['Form', `${form.id}, ${form.language}`],
    ['Page', form.page],
  ]);
}

function formatProjectAmounts(donation: Donation): string {
  const projects = listProjectAmounts(donation);
  return projects
    .map(({ name, amount }) => (projects.length === 1 ? name : `${name} ${amount}`))
    .join(', ');
}

function listDonorFields({ payload, donorDeletedAt, donorDeletedBy }: Donation): LabeledValue[] {
  const { donor, customFields = [], consents = [] } = payload;
  const city = joinNonEmpty(' ', donor.postal, donor.city);
  return omitEmptyFields([
    ['Organization', donor.organization],
    ['Name', joinNonEmpty(' ', donor.firstName, donor.lastName)],
    ['Email', donor.email],
    ['Phone', donor.phone],
    [
      'Address',
      joinNonEmpty(', ', donor.address1, donor.address2, city, donor.state, donor.country),
    ],
    ...customFields.map(({ id, value }): LabeledValue => [id, value]),
    ...consents.map(({ text, given }): LabeledValue => [
      given ? 'Agreed to' : 'Did not agree to',
      text,
    ]),
    [
      'Data deleted',
      donorDeletedAt !== null && `${toIsoTime(donorDeletedAt).slice(0, 10)} by ${donorDeletedBy}`,
    ],
  ]);
}

function listGiftAidFields(
  { payload: { giftAid } }: Donation,
  cancellation: GiftAidCancellation | undefined,
): LabeledValue[] {
  if (!giftAid) return [];
  return omitEmptyFields([
    ['Gift Aid declaration', giftAid.text],
    ['Home for Gift Aid', `${giftAid.house}, ${giftAid.postcode}`],
    ['Gift Aid canceled', cancellation && `from ${cancellation.from} by ${cancellation.by}`],
  ]);
}

function listPaymentFields(donation: Donation): LabeledValue[] {
  const { paymentMethod, failureReason: reason, attempts } = donation;
  const method = paymentMethod === null ? undefined : METHOD_BY_TYPE[paymentMethod];
  const reasonLabel = reason && FAILURE_REASON_LABELS[reason];
  return omitEmptyFields([
    ['Payment provider', donation.payload.payment.provider],
    ['Payment method', method && METHOD_LABELS[method]],
    ['Payment ID', donation.paymentId],
    ['Subscription ID', donation.subscriptionId],
    ['Recurring donation status', donation.subscriptionStatus],
    donation.status === 'failed'
      ? ['Failure reason', reasonLabel]
      : ['Result shown to the donor', reasonLabel && `payment failed: ${reasonLabel}`],
    ['Status checks', attempts > 0 && String(attempts)],
  ]);
}

function toEventDetail(event: OutboxEntry, donation: Donation) {
  const { id, reference, status, attempts } = event;
  return {
    id,
    label: EVENT_KIND_LABELS[event.kind],
    reference,
    status,
    at: toIsoTime(event.payload.at ?? event.createdAt),
    amount: formatEventAmount(event, donation),
    platformId: event.platformGiftId,
    attempts,
    lastError: removeErrorName(event.lastError),
    nextRetryAt: status === 'pending' ? toIsoTime(event.nextRunAt) : null,
  };
}

export function toDecisionDetail(row: AppliedDecision, events: readonly OutboxEntry[]) {
  return {
    at: toIsoTime(row.decidedAt),
    by: row.decidedBy,
    decision: DECISION_LABELS[row.decision],
    /** The payment, or the event's kind and reference. */
    subject: row.event === null ? 'the payment' : formatEventName(row.event, events),
    from: row.fromStatus,
    to: row.toStatus,
    platformId: row.platformGiftId,
    note: row.note,
  };
}

function formatEventName(id: string, events: readonly OutboxEntry[]): string {
  const event = events.find((candidate) => candidate.id === id);
  return event ? `${EVENT_KIND_LABELS[event.kind].toLowerCase()} ${event.reference}` : id;
}

function omitEmptyFields(
  fields: readonly (readonly [string, string | false | null | undefined])[],
): LabeledValue[] {
  return fields.filter((field): field is LabeledValue => Boolean(field[1]));
}

function joinNonEmpty(separator: string, ...parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join(separator);
}

function toIsoTime(time: number): string {
  return new Date(time).toISOString();
}
