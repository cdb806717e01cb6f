/** Values that the admin API and the command check. To start fast, the command loads only these. */
import type { DonationStatus, SubscriptionStatus } from '@donation-form/core/donation';
import type { OutboxStatus, ReviewDecision } from '../../database/schema.ts';

/** Statuses of recurring donations whose renewals fail, which may have begun long ago. */
const FAILING_STATUSES = ['retrying', 'suspended'] as const satisfies readonly SubscriptionStatus[];

/** Payment, outbox, and subscription statuses that can filter the list of donations. */
export const LIST_STATUSES = [
  'unconfirmed',
  'requires_action',
  'processing',
  'succeeded',
  'failed',
  'needs_review',
  'pending',
  'delivered',
  'manual',
  ...FAILING_STATUSES,
] as const satisfies readonly (DonationStatus | OutboxStatus | SubscriptionStatus)[];
export type ListStatus = (typeof LIST_STATUSES)[number];

/** Returns true if a list with this status includes donations from any time. */
export const includesAnyTime = (status: ListStatus | undefined): boolean =>
  (FAILING_STATUSES as readonly unknown[]).includes(status);

export const DECISIONS = [
  'succeeded',
  'entered',
  'failed',
  'recorded',
  'not-recorded',
  'send',
] as const satisfies readonly ReviewDecision[];

export const MAX_RESOLVED_EVENTS = 1_000;

/** Time limit for a run of the jobs. Leaves room for one run per minute. */
export const DEFAULT_TIMEOUT_SECONDS = 50;
