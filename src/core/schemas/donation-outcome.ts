import { z } from 'zod';
import { Frequency } from '../donation/frequency-code.ts';
import { GIFT_FREQUENCIES } from '../donation/frequency.ts';

/**
 * Fundraising Platform API, 'Embedded form settings', ProjectSplit. `amount` is a decimal string in
 * major units.
 */
const projectSplit = z.strictObject({
  projectId: z.string(),
  projectName: z.string(),
  projectCode: z.string().optional(),
  amount: z.string().nullable(),
});

/**
 * Fundraising Platform API, 'Embedded form settings', DonateResponse. `amount` is the total
 * charged, in major units.
 */
export const donateResponse = z.strictObject({
  success: z.boolean(),
  message: z.string().nullable(),
  transactionId: z.string().nullable().describe("the payment processor's id"),
  amount: z.number(),
  frequency: z.enum(Frequency).optional().describe('absent: a one-time gift'),
  segment: z.string().optional(),
  giftId: z
    .number()
    .nullable()
    .optional()
    .describe("the platform's id; null until it is recorded there"),
  projectSplit: z.array(projectSplit),
});
/**
 * What `onSuccess` and `donation-form-success` get: Fundraising Platform API, 'Embedded form
 * settings'. `amount` is in major units, and is the total that was charged.
 */
export type DonateResponse = z.infer<typeof donateResponse>;

/**
 * What the donor has to do before any money moves: on a page to go to, or in the payment provider's
 * field, which knows what its secret means.
 */
export const action = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('redirect'), url: z.url() }),
  z.strictObject({ kind: z.literal('field'), secret: z.string() }),
]);
export type Action = z.infer<typeof action>;

/**
 * What a donation came to: the answer of `POST /donations`, `POST /donations/confirm`, `POST
 * /donations/cancel` and `GET /donations`.
 */
export const outcome = z.strictObject({
  reference: z
    .string()
    .describe(
      "the gift's short name, the same at the processor, at the platform and on the receipt",
    ),
  state: z
    .enum(['succeeded', 'pending', 'action', 'checking', 'declined'])
    .describe(
      'pending: accepted, and paid later; action: the donor has to do something first; checking: whether the charge happened is not known yet',
    ),
  reason: z
    .enum(['card-declined', 'not-confirmed', 'not-charged'])
    .optional()
    .describe(
      'why a gift was declined; not-confirmed: the donor did not do what was asked for; not-charged: the payment never reached the processor',
    ),
  gift: z
    .strictObject({
      amount: z.int(),
      costs: z.int(),
      total: z.int(),
      currency: z.string(),
      frequency: z.enum(GIFT_FREQUENCIES),
    })
    .describe(
      'what was given, in minor units: a page that was loaded anew knows nothing else of it',
    ),
  response: donateResponse.optional().describe('with succeeded'),
  action: action
    .optional()
    .describe('with action; GET /donations leaves it out, POST /donations/confirm gives it'),
  provider: z.string().describe('which of the payments of the form took it'),
  instructions: z
    .string()
    .optional()
    .describe('with pending: what the donor has to do now, such as where to send the money'),
});
export type Outcome = z.infer<typeof outcome>;
