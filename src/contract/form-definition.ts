import { z } from 'zod';
import { CustomFieldDataType } from '../model/custom-field.ts';
import { DONOR_FIELDS } from '../model/donor.ts';
import { GIFT_FREQUENCIES } from '../model/frequency.ts';
import { PaymentMethodType } from '../model/payment.ts';

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
  costs: z.strictObject({ basisPoints: z.int().min(0).max(5_000), fixed: minorUnits }).optional().describe('absent: covering costs is not offered'),
});
export type CurrencyOffer = z.infer<typeof currencyOffer>;

export const projectOffer = z.strictObject({ id: z.string(), code: z.string().optional(), name: z.string() });
export type ProjectOffer = z.infer<typeof projectOffer>;

export const customFieldOffer = z.strictObject({
  id: z.string(),
  type: z.enum(CustomFieldDataType).describe("Fundraising Platform API, 'Enumerations', CustomFieldDataType"),
  options: z.array(z.string()).optional().describe('what a list or a multiselect offers'),
});

/** What `GET /form` answers: all that the element needs to show one form. In each list the first entry is the default. */
export const formDefinition = z.strictObject({
  id: z.string(),
  organization: z.strictObject({ name: z.string(), contact: z.string().describe('where a donor can ask, an e-mail address') }),
  isTest: z.boolean().describe('true: no money moves, and the form says so'),
  currencies: listOf(currencyOffer),
  frequencies: listOf(z.enum(GIFT_FREQUENCIES)),
  projects: listOf(projectOffer),
  donorFields: z.array(z.strictObject({ name: z.enum(DONOR_FIELDS), required: z.boolean() })),
  acceptsComment: z.boolean(),
  acceptsCustomAmount: z.boolean().describe('false: donors choose among the suggested gifts'),
  customFields: z.array(customFieldOffer).describe('what the page may preset by customFieldPreset'),
  acceptsHiddenCustomFields: z.boolean().describe('true: presets of other custom fields are sent too, as texts'),
  payment: z.strictObject({ provider: z.string(), methods: listOf(z.enum(PaymentMethodType)), options: z.record(z.string(), z.string()) }).describe("the payment provider's public part"),
});
export type FormDefinition = z.infer<typeof formDefinition>;
