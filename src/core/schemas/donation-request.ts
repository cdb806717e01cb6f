import { z } from 'zod';
import { CUSTOM_VALUE_LENGTH, MOST_CUSTOM_FIELDS } from '../donor/custom-field.ts';
import {
  CODE_LENGTH,
  COMMENT_LENGTH,
  CONSENT_LENGTH,
  DONOR_FIELD_LENGTHS,
  DONOR_FIELDS,
  MOST_CONSENTS,
  MOST_PARTS,
  ORGANIZATION_LENGTH,
  PAGE_LENGTH,
  type DonorField,
} from '../donor/donor.ts';
import { isEmail } from '../donor/email.ts';
import { TRIBUTE_KINDS, TRIBUTE_NAME_LENGTH } from '../donation/tribute.ts';
import { GIFT_FREQUENCIES } from '../donation/frequency.ts';
import { LARGEST_AMOUNT } from '../money/money.ts';
import { PaymentMethodType } from '../donation/payment-method.ts';
import {
  TRACKING_FIELD_LENGTHS,
  TRACKING_FIELDS,
  type TrackingField,
} from '../donation/tracking.ts';
import { line, text } from './text.ts';

const minorUnits = z.int().min(0).max(LARGEST_AMOUNT);
const donorField = (name: DonorField) => line(DONOR_FIELD_LENGTHS[name]).optional();

const email = line(DONOR_FIELD_LENGTHS.email).refine(isEmail, 'expected an e-mail address');
const donor = z
  .strictObject(
    Object.fromEntries(DONOR_FIELDS.map((name) => [name, donorField(name)])) as Record<
      DonorField,
      ReturnType<typeof donorField>
    >,
  )
  .extend({
    email: email.optional(),
    organization: line(ORGANIZATION_LENGTH).min(1).optional().describe('absent: a person gives'),
  });

const tribute = z.strictObject({
  kind: z.enum(TRIBUTE_KINDS),
  name: line(TRIBUTE_NAME_LENGTH).min(1),
  message: text(COMMENT_LENGTH).optional(),
  notifyEmail: email.optional().describe('who is told of the gift'),
});

const gift = z.strictObject({
  amount: z.int().positive().max(LARGEST_AMOUNT),
  currency: z.string().regex(/^[A-Z]{3}$/),
  frequency: z.enum(GIFT_FREQUENCIES),
  coverCosts: z.boolean(),
  costs: minorUnits,
  total: z.int().positive().max(LARGEST_AMOUNT),
  comment: text(COMMENT_LENGTH).optional(),
  segment: line(CODE_LENGTH).min(1).optional(),
  projects: z
    .array(
      z.strictObject({
        id: z.string().min(1).max(CODE_LENGTH),
        amount: z.int().positive().max(LARGEST_AMOUNT),
      }),
    )
    .min(1)
    .max(MOST_PARTS)
    .describe('their amounts sum to the gift'),
  anonymous: z.boolean().optional().describe('true: the name is not made public'),
  tribute: tribute.optional(),
});

/** An http address of an origin and a path, without user name, query or fragment. */
function isPage(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, origin, pathname } = new URL(text);
  return (
    /^https?:$/.test(protocol) &&
    text.startsWith(origin) &&
    ['', pathname].includes(text.slice(origin.length))
  );
}

/** The body of `POST /donations`. All amounts are integers in minor units. */
export const donationRequest = z.strictObject({
  version: z.literal(1, {
    error: 'expected 1: the script on the page and this server are of different releases',
  }),
  definition: z.string().max(100).describe('the ETag of the definition that was shown'),
  gift,
  donor,
  customFields: z
    .array(
      z.strictObject({ id: line(CODE_LENGTH).min(1), value: text(CUSTOM_VALUE_LENGTH).min(1) }),
    )
    .max(MOST_CUSTOM_FIELDS)
    .optional(),
  consents: z
    .array(
      z.strictObject({
        id: line(CODE_LENGTH).min(1),
        words: text(CONSENT_LENGTH).min(1),
        given: z.boolean(),
      }),
    )
    .max(MOST_CONSENTS)
    .optional()
    .describe('every consent that was asked for, in the words as shown'),
  tracking: z
    .strictObject(
      Object.fromEntries(
        TRACKING_FIELDS.map((name) => [name, line(TRACKING_FIELD_LENGTHS[name]).min(1).optional()]),
      ) as Record<TrackingField, z.ZodOptional<z.ZodString>>,
    )
    .optional(),
  payment: z.strictObject({
    provider: z.string().max(40),
    method: z
      .enum(PaymentMethodType)
      .optional()
      .describe(
        "absent where the donor chooses it on the provider's page, or no money moves through the form",
      ),
    token: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe(
        "what the provider's field made of the card; absent: the provider's own page takes the payment, or no money moves through the form",
      ),
    returnUrl: z
      .url({ protocol: /^https?$/ })
      .max(2_000)
      .optional()
      .describe(
        'the page of the form, where the donor comes back from a page of the provider or of a bank',
      ),
  }),
  form: z.strictObject({
    id: z.string().max(100),
    page: line(PAGE_LENGTH)
      .refine(isPage, 'expected a web address: origin and path only')
      .optional(),
    language: line(35),
    website: z
      .string()
      .max(2_000)
      .optional()
      .describe('what stands in a field that no person meets: a gift with it is refused'),
  }),
});
export type DonationRequest = z.infer<typeof donationRequest>;
