import { z } from 'zod';
import { DONATION_FREQUENCIES } from '../donation/frequency.ts';
import { TRACKING_FIELDS, type TrackingField } from '../donation/tracking.ts';

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

const minorUnits = z.number().nonnegative();
const trackingField = z.string().optional();

/** Body of an outbound webhook (Standard Webhooks). No field identifies the donor. */
export const outboundWebhookMessageSchema = z.strictObject({
  type: z.enum(OUTBOUND_WEBHOOK_EVENTS),
  timestamp: z.iso.datetime().describe('time of the event, not of this delivery'),
  data: z.strictObject({
    reference: z
      .string()
      .describe(
        'short ID of the donation or renewal; also used by the payment provider, the ' +
          'platform, the receipt, and browser analytics (as the event ID)',
      ),
    parent: z
      .string()
      .optional()
      .describe(
        'reference of the first donation; only for a renewal and for its refunds or disputes',
      ),
    organization: z.string().describe('ID of the organization in the configuration'),
    form: z.string().describe('ID of the form in the configuration'),
    isTest: z
      .boolean()
      .describe(
        'true for a test donation, which moves no money and should not count as a conversion',
      ),
    currency: z.string().describe('ISO 4217'),
    decimals: z
      .int()
      .describe('number of decimal places used for the currency; amounts are in minor units'),
    amount: minorUnits.describe(
      "amount without covered fees, or a renewal's total if that total differs from the first donation's total",
    ),
    coveredFees: minorUnits.describe('amount that the donor adds to cover transaction fees'),
    total: minorUnits.describe(
      'amount that was charged or will be charged, including covered fees',
    ),
    frequency: z.enum(DONATION_FREQUENCIES),
    projects: z
      .array(z.strictObject({ id: z.string(), code: z.string().optional(), amount: minorUnits }))
      .describe(
        "split of the amount among projects; empty if a renewal's total differs from the first donation's total",
      ),
    segment: z.string().optional(),
    tracking: z
      .strictObject(
        Object.fromEntries(TRACKING_FIELDS.map((name) => [name, trackingField])) as Record<
          TrackingField,
          typeof trackingField
        >,
      )
      .describe('campaign parameters of the page, such as UTM parameters'),
    language: z.string().describe('language of the form, as a BCP 47 tag'),
    page: z
      .string()
      .optional()
      .describe('URL of the page with the form, without the query and fragment'),
    changed: minorUnits
      .optional()
      .describe('amount of the refund or dispute; only for refunds and disputes'),
    refunded: minorUnits.optional().describe('total amount refunded so far; only for refunds'),
  }),
});
export type OutboundWebhookMessage = z.infer<typeof outboundWebhookMessageSchema>;
