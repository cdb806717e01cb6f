import type { DonationFrequency } from '../donation/frequency.ts';
import type { TrackingField } from '../donation/tracking.ts';

export const OUTBOUND_WEBHOOK_EVENTS = [
  'donation.succeeded',
  'donation.processing',
  'donation.failed',
  'donation.renewed',
  'donation.refunded',
  'donation.refund_failed',
  'donation.disputed',
  'donation.dispute_won',
  'donation.dispute_lost',
  'subscription.ended',
] as const;
export type OutboundWebhookEvent = (typeof OUTBOUND_WEBHOOK_EVENTS)[number];

/** Body of an outbound webhook (Standard Webhooks). No field identifies the donor. */
export interface OutboundWebhookMessage {
  type: OutboundWebhookEvent;
  /** Time of the event, not of this delivery, in ISO 8601 format. */
  timestamp: string;
  /** Amounts are in minor units. */
  data: {
    /**
     * Short ID of the donation or renewal, also used by the payment provider and the platform, and
     * as the event ID in browser analytics.
     */
    reference: string;
    /** Reference of the first donation, for a renewal and for its refunds or disputes. */
    parent?: string | undefined;
    organization: string;
    form: string;
    /** True for a test donation, which moves no money and should not count as a conversion. */
    isTest: boolean;
    /** ISO 4217. */
    currency: string;
    /** Decimal places of the currency, which define the minor unit of the amounts. */
    decimals: number;
    /** Amount without covered fees, or a renewal's total if it differs from the first donation's. */
    amount: number;
    coveredFees: number;
    /** Amount that was or will be charged, including covered fees. */
    total: number;
    frequency: DonationFrequency;
    /** Empty if a renewal's total differs from the first donation's. */
    projects: { id: string; code?: string | undefined; amount: number }[];
    segment?: string | undefined;
    tracking: Partial<Record<TrackingField, string | undefined>>;
    /** BCP 47 tag. */
    language: string;
    /** URL of the page with the form, without the query and fragment. */
    page?: string | undefined;
    /** Amount of the refund or dispute. Only for refunds and disputes. */
    changed?: number | undefined;
    /** Total amount refunded so far. Only for refunds. */
    refunded?: number | undefined;
  };
}
