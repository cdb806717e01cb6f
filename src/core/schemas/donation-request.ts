import { z } from 'zod';
import { DONATION_FREQUENCIES } from '../donation/frequency.ts';
import {
  GIFT_AID_SCOPES,
  MAX_HOUSE_LENGTH,
  MAX_POSTCODE_LENGTH,
  parseUkPostcode,
} from '../donation/gift-aid.ts';
import { PaymentMethodType } from '../donation/payment-method-type.ts';
import {
  MAX_TRACKING_FIELD_LENGTHS,
  TRACKING_FIELDS,
  type TrackingField,
} from '../donation/tracking.ts';
import { MAX_TRIBUTE_NAME_LENGTH, TRIBUTE_KINDS } from '../donation/tribute.ts';
import { MAX_CUSTOM_FIELDS, MAX_CUSTOM_VALUE_LENGTH } from '../donor/custom-field.ts';
import {
  DONOR_FIELDS,
  type DonorField,
  MAX_CODE_LENGTH,
  MAX_COMMENT_LENGTH,
  MAX_CONSENT_LENGTH,
  MAX_CONSENTS,
  MAX_DONOR_FIELD_LENGTHS,
  MAX_ORGANIZATION_LENGTH,
  MAX_PAGE_URL_LENGTH,
  MAX_SPLITS,
} from '../donor/donor.ts';
import { cleanEmail, isEmail } from '../donor/email.ts';
import { MAX_AMOUNT } from '../money/money.ts';
import { lineSchema, textSchema } from './text.ts';

const minorUnits = z.int().min(0).max(MAX_AMOUNT);
const donorField = (name: DonorField) => lineSchema(MAX_DONOR_FIELD_LENGTHS[name]).optional();

const email = lineSchema(MAX_DONOR_FIELD_LENGTHS.email)
  .overwrite(cleanEmail)
  .refine(isEmail, 'expected an email address');
const donor = z
  .strictObject(
    Object.fromEntries(DONOR_FIELDS.map((name) => [name, donorField(name)])) as Record<
      DonorField,
      ReturnType<typeof donorField>
    >,
  )
  .extend({
    email: email.optional(),
    organization: lineSchema(MAX_ORGANIZATION_LENGTH)
      .min(1)
      .optional()
      .describe('name of the donating organization; if absent, the donor is a person'),
  });

const tribute = z.strictObject({
  kind: z.enum(TRIBUTE_KINDS),
  name: lineSchema(MAX_TRIBUTE_NAME_LENGTH).min(1),
  message: textSchema(MAX_COMMENT_LENGTH).optional(),
  notifyEmail: email.optional().describe('email of the person to notify about the gift'),
});

const giftAid = z.strictObject({
  scope: z.enum(GIFT_AID_SCOPES).describe('donations that the declaration covers'),
  text: textSchema(MAX_CONSENT_LENGTH)
    .min(1)
    .describe('declaration, in the wording that the donor saw'),
  house: lineSchema(MAX_HOUSE_LENGTH).min(1).describe("name or number of the donor's home"),
  postcode: lineSchema(MAX_POSTCODE_LENGTH)
    .refine((text) => parseUkPostcode(text) === text, 'expected a UK postcode such as SW1A 1AA')
    .describe("postcode of the donor's home in the UK, in capitals and with a space"),
});

const gift = z.strictObject({
  amount: z.int().positive().max(MAX_AMOUNT),
  currency: z.string().regex(/^[A-Z]{3}$/),
  frequency: z.enum(DONATION_FREQUENCIES),
  coverCosts: z.boolean(),
  coveredFees: minorUnits,
  total: z.int().positive().max(MAX_AMOUNT),
  comment: textSchema(MAX_COMMENT_LENGTH).optional(),
  segment: lineSchema(MAX_CODE_LENGTH).min(1).optional(),
  projects: z
    .array(
      z.strictObject({
        id: z.string().min(1).max(MAX_CODE_LENGTH),
        amount: z.int().positive().max(MAX_AMOUNT),
      }),
    )
    .min(1)
    .max(MAX_SPLITS)
    .describe('projects and their amounts, which must add up to the gift amount'),
  anonymous: z.boolean().optional().describe("true to keep the donor's name private"),
  tribute: tribute.optional(),
});

function isOriginAndPath(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, origin, pathname } = new URL(text);
  return (
    /^https?:$/.test(protocol) &&
    text.startsWith(origin) &&
    ['', pathname].includes(text.slice(origin.length))
  );
}

function isUrlWithoutCredentials(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

/** Normalizes a URL as browsers do, so that every program reads the same host from it. */
function normalizeUrl(text: string): string {
  return URL.canParse(text) ? new URL(text).href : text;
}

/** Request body of `POST /donations`. All amounts are integers in minor units. */
export const donationRequest = z.strictObject({
  version: z.literal(1, {
    error:
      'expected 1; the script on the page and the server have different versions, so update the older one',
  }),
  definition: z.string().max(100).describe('ETag of the form definition that the donor saw'),
  gift,
  donor,
  customFields: z
    .array(
      z.strictObject({
        id: lineSchema(MAX_CODE_LENGTH).min(1),
        value: textSchema(MAX_CUSTOM_VALUE_LENGTH).min(1),
      }),
    )
    .max(MAX_CUSTOM_FIELDS)
    .optional(),
  consents: z
    .array(
      z.strictObject({
        id: lineSchema(MAX_CODE_LENGTH).min(1),
        text: textSchema(MAX_CONSENT_LENGTH).min(1),
        given: z.boolean(),
      }),
    )
    .max(MAX_CONSENTS)
    .optional()
    .describe('all consents that the form showed, in the wording that the donor saw'),
  giftAid: giftAid.optional().describe('declaration with which the charity reclaims UK tax'),
  tracking: z
    .strictObject(
      Object.fromEntries(
        TRACKING_FIELDS.map((name) => [
          name,
          lineSchema(MAX_TRACKING_FIELD_LENGTHS[name]).min(1).optional(),
        ]),
      ) as Record<TrackingField, z.ZodOptional<z.ZodString>>,
    )
    .optional(),
  payment: z.strictObject({
    provider: z.string().max(40),
    method: z
      .enum(PaymentMethodType)
      .optional()
      .describe("if absent, the fee is that of the provider's first method"),
    token: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe(
        "token from the provider's payment field; absent for hosted checkout and offline payments",
      ),
    returnUrl: z
      .url({ protocol: /^https?$/ })
      .max(2_000)
      .refine(isUrlWithoutCredentials, 'expected a URL without a username or password')
      .overwrite(normalizeUrl)
      .optional()
      .describe('URL of the page with the form, to which the provider or bank returns the donor'),
  }),
  form: z.strictObject({
    id: z.string().max(100),
    page: lineSchema(MAX_PAGE_URL_LENGTH)
      .refine(isOriginAndPath, 'expected a URL without a username, query, or fragment')
      .optional(),
    language: lineSchema(35),
    website: z
      .string()
      .max(2_000)
      .optional()
      .describe(
        'honeypot field that is hidden from people; the server rejects a request with a value here',
      ),
  }),
});
export type DonationRequest = z.infer<typeof donationRequest>;
