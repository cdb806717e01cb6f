import type { Awaiting, DonationFrequency, DonationStatus } from '@donation-form/core/donation';
import type {
  Donation,
  OutboxEntryKind,
  OutboxStatus,
  ReviewDecision,
} from '../../database/schema.ts';
import type { FilterMethod } from '../../reporting/donation-filter.ts';

export type Status = DonationStatus | OutboxStatus;

const STATUS_LABELS: Readonly<Record<Status, string>> = {
  unconfirmed: 'Checking payment',
  requires_action: 'Waiting for donor',
  processing: 'Waiting for bank',
  succeeded: 'Received',
  failed: 'Failed',
  needs_review: 'Needs review',
  pending: 'To be sent',
  delivered: 'On the platform',
  manual: 'Enter manually',
};

export function getStatusLabel(status: Status, awaiting?: Awaiting | null): string {
  return status === 'processing' && awaiting === 'donor' ? 'Promised' : STATUS_LABELS[status];
}

export const FREQUENCY_LABELS: Readonly<Record<DonationFrequency, string>> = {
  once: 'once',
  weekly: 'weekly',
  everyOtherWeek: 'every 2 weeks',
  monthly: 'monthly',
  quarterly: 'quarterly',
  biannual: 'every 6 months',
  annually: 'yearly',
};

export const METHOD_LABELS: Readonly<Record<FilterMethod, string>> = {
  card: 'card',
  bank: 'bank account',
  wallet: 'wallet',
  paypal: 'PayPal',
  offline: 'bank transfer or check',
};

export const EVENT_KIND_LABELS: Readonly<Record<OutboxEntryKind, string>> = {
  donation: 'Donation',
  payment_settled: 'Payment settled',
  payment_failed: 'Payment failed',
  refund: 'Refund',
  refund_failed: 'Refund failed',
  dispute_opened: 'Dispute opened',
  dispute_won: 'Dispute won',
  dispute_lost: 'Dispute lost',
  renewal: 'Renewal',
  renewal_failed: 'Renewal failed',
  subscription_resumed: 'Recurring donation resumed',
  subscription_suspended: 'Recurring donation suspended',
  subscription_canceled: 'Recurring donation canceled',
};

export const FAILURE_REASON_LABELS: Readonly<
  Record<NonNullable<Donation['failureReason']>, string>
> = {
  'card-declined': 'the bank declined the payment',
  'not-confirmed': 'the donor did not confirm the payment',
  'payment-failed': 'the reason is unknown',
  'email-invalid': 'the payment provider rejected the email address',
  'amount-too-small': 'the payment provider rejected the amount as too small',
  'amount-too-large': 'the payment provider rejected the amount as too large',
};

/** Returns the payment error, the event error, or the failure reason, or an empty string. */
export function describeFailure(donation: Donation, eventError: string | null = null): string {
  const { lastError: paymentError, failureReason } = donation;
  const error = removeErrorName(paymentError ?? eventError);
  return error ?? (failureReason ? FAILURE_REASON_LABELS[failureReason] : '');
}

/** Removes the error's class name, such as `TypeError: `. */
export function removeErrorName(error: string | null): string | null {
  return error === null ? null : error.replace(/^\w*Error: /, '');
}

/** Adds a period unless the text already ends with a punctuation mark. */
export function endSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

export const DECISION_LABELS: Readonly<Record<ReviewDecision, string>> = {
  succeeded: 'Confirmed as paid',
  entered: 'Entered on the platform manually',
  failed: 'Confirmed as unpaid or refunded',
  recorded: 'Confirmed as recorded on the platform',
  'not-recorded': 'Confirmed as not recorded on the platform',
  send: 'Sent to the platform',
};

/** Formats an amount with grouping and its currency, such as `1,250.00 USD`. */
export function formatAmount(minor: number, currency: string, decimals: number): string {
  const number = (minor / 10 ** decimals).toLocaleString('en-US', {
    minimumFractionDigits: decimals,
    // Refunds and disputes can have amounts that cannot be donated, such as 1,234.5 HUF.
    maximumFractionDigits: decimals + 3,
  });
  return `${number} ${currency}`;
}
