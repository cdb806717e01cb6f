import { z } from 'zod';
import { CustomFieldDataFormatter, CustomFieldDataType } from '../donor/custom-field.ts';
import { DONOR_FIELDS } from '../donor/donor.ts';
import { GIFT_FREQUENCIES } from '../donation/frequency.ts';
import { PaymentMethodType } from '../donation/payment-method.ts';

/** A list with at least one entry. */
export const listOf = <Item extends z.ZodType>(item: Item) => z.tuple([item], item);

const minorUnits = z.int().nonnegative();

/** One suggested gift. */
export const giftOption = z.strictObject({
  value: minorUnits.positive().describe('minor units'),
  description: z.string().optional().describe('what the gift does, plain text'),
  displayValue: z.string().optional().describe('shown instead of the formatted amount, plain text'),
  isDefault: z.boolean().optional(),
});
export type GiftOption = z.infer<typeof giftOption>;

/** A currency that the form offers, with the amounts that are offered and allowed in it. */
export const currencyOffer = z.strictObject({
  code: z.string().describe('ISO 4217'),
  decimals: z.int().min(0).max(4),
  minimum: minorUnits.positive(),
  maximum: minorUnits.positive(),
  giftArray: z.array(giftOption),
  giftArrays: z
    .partialRecord(z.enum(GIFT_FREQUENCIES), z.array(giftOption))
    .optional()
    .describe('lists of single frequencies, which take the place of giftArray there'),
  costs: z
    .strictObject({ basisPoints: z.int().min(0).max(5_000), fixed: minorUnits })
    .optional()
    .describe('absent: covering costs is not offered'),
});
export type CurrencyOffer = z.infer<typeof currencyOffer>;

export const projectOffer = z.strictObject({
  id: z.string(),
  code: z.string().optional(),
  name: z.string(),
  goal: z
    .strictObject({ raised: minorUnits, target: minorUnits.positive() })
    .optional()
    .describe('minor units of the first currency'),
});
export type ProjectOffer = z.infer<typeof projectOffer>;

export const customFieldOffer = z.strictObject({
  id: z.string(),
  type: z
    .enum(CustomFieldDataType)
    .describe("Fundraising Platform API, 'Enumerations', CustomFieldDataType"),
  options: z
    .array(z.strictObject({ value: z.string(), label: z.string() }))
    .optional()
    .describe('what a list or a multiselect offers'),
  label: z.string().optional().describe('absent: the field is not shown; the page may preset it'),
  formatter: z
    .enum(CustomFieldDataFormatter)
    .describe("Fundraising Platform API, 'Enumerations', CustomFieldDataFormatter"),
  hint: z.string().optional(),
  required: z.boolean(),
});
export type CustomFieldOffer = z.infer<typeof customFieldOffer>;

const consentOffer = z.strictObject({
  id: z.string(),
  words: z.string(),
  required: z.boolean(),
});

/** One way to pay. */
export const paymentOffer = z.strictObject({
  provider: z.string(),
  label: z.string().optional().describe("what donors choose it by; absent: the form's own word"),
  methods: z.array(z.enum(PaymentMethodType)).describe('empty: no money moves through the form'),
  hasHostedPage: z
    .boolean()
    .describe(
      "true: the provider has a page of its own, where the form cannot show the provider's field",
    ),
  canManage: z
    .boolean()
    .describe('true: who gives regularly can change the card or end the gift at GET /manage'),
  options: z.record(z.string(), z.string()).describe("the provider's public part"),
});
export type PaymentOffer = z.infer<typeof paymentOffer>;

/**
 * What `GET /form` answers: all that the element needs to show one form in one language. In each
 * list the first entry is the default.
 */
export const formDefinition = z.strictObject({
  id: z.string(),
  organization: z.strictObject({
    name: z.string(),
    contact: z.string().describe('where a donor can ask, an e-mail address'),
  }),
  isTest: z.boolean().describe('true: no money moves, and the form says so'),
  currencies: listOf(currencyOffer),
  frequencies: listOf(z.enum(GIFT_FREQUENCIES)),
  suggestsMonthly: z
    .boolean()
    .describe(
      'true: who gives once is asked, on a line of its own, whether a smaller monthly gift would suit',
    ),
  projects: listOf(projectOffer),
  acceptsSplit: z.boolean().describe('true: a gift may be divided over several projects'),
  acceptsTribute: z
    .boolean()
    .describe('true: a gift may be given in honour or in memory of somebody'),
  donorFields: z.array(z.strictObject({ name: z.enum(DONOR_FIELDS), required: z.boolean() })),
  acceptsOrganizations: z
    .boolean()
    .describe('true: an organisation may give, and then no name of a person is required'),
  acceptsAnonymity: z.boolean().describe('true: donors may ask that their name is not made public'),
  acceptsComment: z.boolean(),
  acceptsCustomAmount: z.boolean().describe('false: donors choose among the suggested gifts'),
  consents: z
    .array(consentOffer)
    .describe('what donors are asked to agree to, in the words that are kept with the gift'),
  customFields: z
    .array(customFieldOffer)
    .describe('those with a label are shown; the page may preset all of them by customFieldPreset'),
  acceptsHiddenCustomFields: z
    .boolean()
    .describe('true: presets of other custom fields are sent too, as texts'),
  receipts: z.enum(['platform', 'processor', 'none']).describe('who sends the receipt'),
  texts: z
    .record(z.string(), z.string())
    .describe("the organisation's own words for texts of the form, by name"),
  payments: listOf(paymentOffer),
});
export type FormDefinition = z.infer<typeof formDefinition>;
