import { z } from 'zod';
import { CustomFieldDataFormatter, CustomFieldDataType } from '../donor/custom-field.ts';
import { DONOR_FIELDS, type DonorField } from '../donor/donor.ts';
import { GIFT_FREQUENCIES, type GiftFrequency } from '../donation/frequency.ts';
import { PaymentMethodType } from '../donation/payment-method.ts';

// The types are written by hand, and the schemas checked against them: declarations of the browser
// package name no type of zod.

/** One suggested gift. */
export interface GiftOption {
  /** Minor units. */
  value: number;
  /** What the gift does, plain text. */
  description?: string | undefined;
  /** Shown instead of the formatted amount, plain text. */
  displayValue?: string | undefined;
  isDefault?: boolean | undefined;
}

/** A currency that the form offers, with the amounts that are offered and allowed in it. */
export interface CurrencyOffer {
  /** ISO 4217. */
  code: string;
  decimals: number;
  /** Minor units. */
  minimum: number;
  /** Minor units. */
  maximum: number;
  giftArray: GiftOption[];
  /** Lists of single frequencies, which take the place of `giftArray` there. */
  giftArrays?: Partial<Record<GiftFrequency, GiftOption[]>> | undefined;
  /** Absent: covering costs is not offered. */
  costs?: { basisPoints: number; fixed: number } | undefined;
}

export interface ProjectOffer {
  id: string;
  code?: string | undefined;
  name: string;
  /** Minor units of the first currency. */
  goal?: { raised: number; target: number } | undefined;
}

/** Its enumerations: Fundraising Platform API, 'Enumerations'. */
export interface CustomFieldOffer {
  id: string;
  type: CustomFieldDataType;
  /** What a list or a multiselect offers. */
  options?: { value: string; label: string }[] | undefined;
  /** Absent: the field is not shown; the page may preset it. */
  label?: string | undefined;
  formatter: CustomFieldDataFormatter;
  hint?: string | undefined;
  required: boolean;
}

export interface ConsentOffer {
  id: string;
  words: string;
  required: boolean;
}

/** One way to pay. */
export interface PaymentOffer {
  provider: string;
  /** What donors choose it by; absent: the form's own word. */
  label?: string | undefined;
  /** Empty: no money moves through the form. */
  methods: PaymentMethodType[];
  /** True: the provider has a page of its own, where the form cannot show the provider's field. */
  hasHostedCheckout: boolean;
  /** True: who gives regularly can change the card or end the gift at `GET /manage`. */
  hasCustomerPortal: boolean;
  /** The provider's public part. */
  options: Record<string, string>;
}

/**
 * What `GET /form` answers: all that the element needs to show one form in one language. In each
 * list the first entry is the default.
 */
export interface FormDefinition {
  id: string;
  /** `contact` is an e-mail address, where a donor can ask. */
  organization: { name: string; contact: string };
  /** True: no money moves, and the form says so. */
  isTest: boolean;
  currencies: [CurrencyOffer, ...CurrencyOffer[]];
  frequencies: [GiftFrequency, ...GiftFrequency[]];
  /** True: who gives once is asked, on a line of its own, whether a smaller monthly gift would suit. */
  monthlyUpsell: boolean;
  projects: [ProjectOffer, ...ProjectOffer[]];
  /** True: a gift may be divided over several projects. */
  allowSplit: boolean;
  /** True: a gift may be given in honour or in memory of somebody. */
  allowTribute: boolean;
  donorFields: { name: DonorField; required: boolean }[];
  /** True: an organisation may give, and then no name of a person is required. */
  allowOrganizations: boolean;
  /** True: donors may ask that their name is not made public. */
  allowAnonymous: boolean;
  allowComment: boolean;
  /** False: donors choose among the suggested gifts. */
  allowCustomAmount: boolean;
  /** What donors are asked to agree to, in the words that are kept with the gift. */
  consents: ConsentOffer[];
  /** Those with a label are shown; the page may preset all of them by `customFieldPreset`. */
  customFields: CustomFieldOffer[];
  /** True: presets of other custom fields are sent too, as texts. */
  allowUnlistedCustomFields: boolean;
  /** Who sends the receipt. */
  receipts: 'platform' | 'processor' | 'none';
  /** The organisation's own words for texts of the form, by name. */
  texts: Record<string, string>;
  payments: [PaymentOffer, ...PaymentOffer[]];
}

/** A list with at least one entry. */
export const listOf = <Item extends z.ZodType>(item: Item) => z.tuple([item], item);

const minorUnits = z.int().nonnegative();

const giftOption = z.strictObject({
  value: minorUnits.positive(),
  description: z.string().optional(),
  displayValue: z.string().optional(),
  isDefault: z.boolean().optional(),
});

const currencyOffer = z.strictObject({
  code: z.string(),
  decimals: z.int().min(0).max(4),
  minimum: minorUnits.positive(),
  maximum: minorUnits.positive(),
  giftArray: z.array(giftOption),
  giftArrays: z.partialRecord(z.enum(GIFT_FREQUENCIES), z.array(giftOption)).optional(),
  costs: z.strictObject({ basisPoints: z.int().min(0).max(5_000), fixed: minorUnits }).optional(),
});

const projectOffer = z.strictObject({
  id: z.string(),
  code: z.string().optional(),
  name: z.string(),
  goal: z.strictObject({ raised: minorUnits, target: minorUnits.positive() }).optional(),
});

const customFieldOffer = z.strictObject({
  id: z.string(),
  type: z.enum(CustomFieldDataType),
  options: z.array(z.strictObject({ value: z.string(), label: z.string() })).optional(),
  label: z.string().optional(),
  formatter: z.enum(CustomFieldDataFormatter),
  hint: z.string().optional(),
  required: z.boolean(),
});

const consentOffer = z.strictObject({
  id: z.string(),
  words: z.string(),
  required: z.boolean(),
});

const paymentOffer = z.strictObject({
  provider: z.string(),
  label: z.string().optional(),
  methods: z.array(z.enum(PaymentMethodType)),
  hasHostedCheckout: z.boolean(),
  hasCustomerPortal: z.boolean(),
  options: z.record(z.string(), z.string()),
});

export const formDefinition: z.ZodType<FormDefinition> = z.strictObject({
  id: z.string(),
  organization: z.strictObject({ name: z.string(), contact: z.string() }),
  isTest: z.boolean(),
  currencies: listOf(currencyOffer),
  frequencies: listOf(z.enum(GIFT_FREQUENCIES)),
  monthlyUpsell: z.boolean(),
  projects: listOf(projectOffer),
  allowSplit: z.boolean(),
  allowTribute: z.boolean(),
  donorFields: z.array(z.strictObject({ name: z.enum(DONOR_FIELDS), required: z.boolean() })),
  allowOrganizations: z.boolean(),
  allowAnonymous: z.boolean(),
  allowComment: z.boolean(),
  allowCustomAmount: z.boolean(),
  consents: z.array(consentOffer),
  customFields: z.array(customFieldOffer),
  allowUnlistedCustomFields: z.boolean(),
  receipts: z.enum(['platform', 'processor', 'none']),
  texts: z.record(z.string(), z.string()),
  payments: listOf(paymentOffer),
});
