import { z } from 'zod';
import { DONATION_FREQUENCIES } from '../donation/frequency.ts';
import { TRACKING_FIELDS, type TrackingField } from '../donation/tracking.ts';

/** Types of events that the server sends to the organization's own server. */
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

const minorUnits = z.int().nonnegative();
const trackingField = z.string().optional();

/**
 * Body of a webhook to the organization's own server, as defined by Standard Webhooks. No
 * field identifies the donor.
 */
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
      .describe('for a renewal and its refunds or disputes: reference of the first donation'),
    organization: z.string().describe('ID of the organization in the configuration'),
    form: z.string().describe('ID of the form in the configuration'),
    isTest: z
      .boolean()
      .describe('true for a test donation, which moves no money; do not count it as a conversion'),
    currency: z.string().describe('ISO 4217'),
    decimals: z.int().describe('number of decimal places of the amounts, which are in minor units'),
    amount: minorUnits.describe(
      'amount without covered fees; for a renewal whose total differs from the first donation, the total',
    ),
    coveredFees: minorUnits.describe('transaction fees that the donor covers'),
    total: minorUnits.describe('amount charged or still to be charged, including covered fees'),
    frequency: z.enum(DONATION_FREQUENCIES),
    projects: z
      .array(z.strictObject({ id: z.string(), code: z.string().optional(), amount: minorUnits }))
      .describe(
        'split of the amount; empty for a renewal whose total differs from the first donation',
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
    language: z.string().describe('language of the form, BCP 47'),
    page: z
      .string()
      .optional()
      .describe('URL of the page with the form, without query and fragment'),
    changed: minorUnits.optional().describe('for a refund or dispute: its amount'),
    refunded: minorUnits.optional().describe('for a refund: total amount refunded so far'),
  }),
});
export type OutboundWebhookMessage = z.infer<typeof outboundWebhookMessageSchema>;
