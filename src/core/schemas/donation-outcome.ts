import { z } from 'zod';
import { Frequency } from '../donation/frequency-code.ts';
import { GIFT_FREQUENCIES, type GiftFrequency } from '../donation/frequency.ts';

/**
 * Fundraising Platform API, 'Embedded form settings', ProjectSplit. `amount` is a decimal string in
 * major units.
 */
export interface ProjectSplit {
  projectId: string;
  projectName: string;
  projectCode?: string | undefined;
  amount: string | null;
}

/**
 * What `onSuccess` and `donation-form-success` get: Fundraising Platform API, 'Embedded form
 * settings'. `amount` is in major units, and is the total that was charged.
 */
export interface DonateResponse {
  success: boolean;
  message: string | null;
  /** The payment processor's id. */
  transactionId: string | null;
  amount: number;
  /** Absent: a one-time gift. */
  frequency?: Frequency | undefined;
  segment?: string | undefined;
  /** The platform's id; null until it is recorded there. */
  giftId?: number | null | undefined;
  projectSplit: ProjectSplit[];
}

const projectSplit = z.strictObject({
  projectId: z.string(),
  projectName: z.string(),
  projectCode: z.string().optional(),
  amount: z.string().nullable(),
});

const donateResponse: z.ZodType<DonateResponse> = z.strictObject({
  success: z.boolean(),
  message: z.string().nullable(),
  transactionId: z.string().nullable(),
  amount: z.number(),
  frequency: z.enum(Frequency).optional(),
  segment: z.string().optional(),
  giftId: z.number().nullable().optional(),
  projectSplit: z.array(projectSplit),
});

/**
 * What the donor has to do before any money moves: on a page to go to, or in the payment provider's
 * field, which knows what its secret means.
 */
export type Action = { kind: 'redirect'; url: string } | { kind: 'field'; secret: string };

/**
 * What a donation came to: the answer of `POST /donations`, `POST /donations/confirm`, `POST
 * /donations/cancel` and `GET /donations`.
 */
export interface Outcome {
  /** The gift's short name, the same at the processor, at the platform and on the receipt. */
  reference: string;
  /**
   * pending: accepted, and paid later; action: the donor has to do something first; checking:
   * whether the charge happened is not known yet.
   */
  state: 'succeeded' | 'pending' | 'action' | 'checking' | 'declined';
  /**
   * Why a gift was declined; not-confirmed: the donor did not do what was asked for; not-charged:
   * the payment never reached the processor.
   */
  reason?: 'card-declined' | 'not-confirmed' | 'not-charged' | undefined;
  /**
   * What was given, in minor units: a page that was loaded anew knows nothing else of it.
   */
  gift: {
    amount: number;
    costs: number;
    total: number;
    currency: string;
    frequency: GiftFrequency;
  };
  /** With succeeded. */
  response?: DonateResponse | undefined;
  /** With action; GET /donations leaves it out, POST /donations/confirm gives it. */
  action?: Action | undefined;
  /** Which of the payments of the form took it. */
  provider: string;
  /** With pending: what the donor has to do now, such as where to send the money. */
  instructions?: string | undefined;
}

const action = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('redirect'), url: z.url() }),
  z.strictObject({ kind: z.literal('field'), secret: z.string() }),
]);

export const outcome: z.ZodType<Outcome> = z.strictObject({
  reference: z.string(),
  state: z.enum(['succeeded', 'pending', 'action', 'checking', 'declined']),
  reason: z.enum(['card-declined', 'not-confirmed', 'not-charged']).optional(),
  gift: z.strictObject({
    amount: z.int(),
    costs: z.int(),
    total: z.int(),
    currency: z.string(),
    frequency: z.enum(GIFT_FREQUENCIES),
  }),
  response: donateResponse.optional(),
  action: action.optional(),
  provider: z.string(),
  instructions: z.string().optional(),
});
