import { z } from 'zod';
import { DONATION_FREQUENCIES } from '../donation/frequency.ts';
import { TRACKING_FIELDS, type TrackingField } from '../donation/tracking.ts';

/** What the site's own server can be told. */
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
const tracked = z.string().optional();

/**
 * The body of a webhook to the site's own server, in the form of Standard Webhooks. Nothing in it
 * names a donor.
 */
export const outboundWebhookMessageSchema = z.strictObject({
  type: z.enum(OUTBOUND_WEBHOOK_EVENTS),
  timestamp: z.iso.datetime().describe('when it happened, which is not when this is sent'),
  data: z.strictObject({
    reference: z
      .string()
      .describe(
        "the gift's short name, the same at the processor, at the platform and on the receipt, and the event's id in the browser's analytics; a renewal has one of its own",
      ),
    parent: z
      .string()
      .optional()
      .describe('of a renewal, and of what happens to it: the reference of the first gift'),
    organization: z.string().describe("the organisation's id in the configuration"),
    form: z.string(),
    isTest: z.boolean().describe('true: no money has moved, so it is no conversion'),
    currency: z.string().describe('ISO 4217'),
    decimals: z.int().describe('how many digits of an amount stand behind its decimal mark'),
    amount: minorUnits.describe(
      'the gift without covered costs; of a renewal with another sum than was agreed to, all of it',
    ),
    coveredFees: minorUnits.describe('what the donor added for the costs'),
    total: minorUnits.describe('what was charged, or is promised'),
    frequency: z.enum(DONATION_FREQUENCIES),
    projects: z
      .array(z.strictObject({ id: z.string(), code: z.string().optional(), amount: minorUnits }))
      .describe('they sum to the amount; empty where that is another one than was agreed to'),
    segment: z.string().optional(),
    tracking: z
      .strictObject(
        Object.fromEntries(TRACKING_FIELDS.map((name) => [name, tracked])) as Record<
          TrackingField,
          typeof tracked
        >,
      )
      .describe('what led the donor here'),
    language: z.string().describe('of the form, BCP 47'),
    page: z.string().optional().describe('where the form stood: origin and path only'),
    changed: minorUnits.optional().describe('of a refund or a dispute: the sum that it is about'),
    refunded: minorUnits.optional().describe('of a refund: all that was paid back until then'),
  }),
});
export type OutboundWebhookMessage = z.infer<typeof outboundWebhookMessageSchema>;
