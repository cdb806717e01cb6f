import { z } from 'zod';
import { CustomFieldDataFormatter, CustomFieldDataType } from '../donor/custom-field.ts';
import { DONOR_FIELDS, type DonorField } from '../donor/donor.ts';
import { DONATION_FREQUENCIES, type DonationFrequency } from '../donation/frequency.ts';
import { PaymentMethodType } from '../donation/payment-method-type.ts';
import type { FeeCover } from '../money/fee-cover.ts';
import { URL_PARAMETERS, type UrlSetting } from '../settings/from-url.ts';

// We write these types by hand to keep Zod out of the browser package's type declarations.
// The compiler checks that the schemas match the types.

/** Suggested gift amount. */
export interface GiftOption {
  /** Minor units. */
  value: number;
  /** Description of the gift's impact, in plain text. */
  description?: string | undefined;
  /** Plain text to show instead of the formatted amount. */
  displayValue?: string | undefined;
  isDefault?: boolean | undefined;
}

/** A currency that the form offers, with its suggested amounts and limits. */
export interface CurrencyOffer {
  /** ISO 4217. */
  code: string;
  decimals: number;
  /** Minor units. */
  minimum: number;
  /** Minor units. */
  maximum: number;
  giftArray: GiftOption[];
  /** Suggested amounts for individual frequencies, in place of `giftArray`. */
  giftArrays?: Partial<Record<DonationFrequency, GiftOption[]>> | undefined;
  /** Transaction fees that donors can cover. Undefined if donors cannot cover fees. */
  feeCover?: FeeCover | undefined;
}

export interface ProjectOffer {
  id: string;
  code?: string | undefined;
  name: string;
  /** Amount raised and target amount, in minor units of the first currency. */
  goal?: { raised: number; target: number } | undefined;
}

/** Codes: Fundraising Platform API, "Enumerations". */
export interface CustomFieldOffer {
  id: string;
  type: CustomFieldDataType;
  /** Options of a list or multiselect field. */
  options?: { value: string; label: string }[] | undefined;
  /** Undefined if the field is hidden, although the page can still preset its value. */
  label?: string | undefined;
  formatter: CustomFieldDataFormatter;
  hint?: string | undefined;
  required: boolean;
}

export interface ConsentOffer {
  id: string;
  text: string;
  required: boolean;
}

/** A payment provider that the form offers, with its payment methods. */
export interface PaymentOffer {
  provider: string;
  /** Name shown to donors. If undefined, the form uses its own label. */
  label?: string | undefined;
  /** Payment methods that the provider accepts. Empty for offline payments. */
  methods: PaymentMethodType[];
  /** True if the provider has a field on the page, instead of a hosted page or offline payments. */
  hasField: boolean;
  /** True if donors can pay on a hosted page if the form cannot show a field. */
  hasHostedCheckout: boolean;
  /** True if recurring donors can change their card or cancel their donation at `GET /manage`. */
  hasCustomerPortal: boolean;
  /** True to show wallet buttons, for which the form reserves space from the first paint. */
  hasWallets?: boolean | undefined;
  /** Public options for the provider's payment field. */
  options: Record<string, string>;
}

/**
 * Response body of `GET /form`, in one language. The first entries of `currencies`, `frequencies`,
 * `projects`, and `payments` are the defaults; in a gift array, `isDefault` marks the default.
 */
export interface FormDefinition {
  id: string;
  /** Name that staff see when they choose one of several forms. */
  name?: string | undefined;
  /** Organization that receives the donations. `contact` is the email for donors' questions. */
  organization: { name: string; contact: string };
  /** True if donations are tests that move no money. The form then shows a notice. */
  isTest: boolean;
  currencies: [CurrencyOffer, ...CurrencyOffer[]];
  frequencies: [DonationFrequency, ...DonationFrequency[]];
  /** True to suggest a smaller monthly gift to one-time donors. */
  monthlyUpsell: boolean;
  projects: [ProjectOffer, ...ProjectOffer[]];
  /** True if donors can split a gift among several projects. */
  allowSplit: boolean;
  /** True if donors can make a gift in honor of someone or in memory of someone. */
  allowTribute: boolean;
  donorFields: { name: DonorField; required: boolean }[];
  /** True if an organization can donate without entering a person's name. */
  allowOrganizations: boolean;
  /** True if donors can keep their name private. */
  allowAnonymous: boolean;
  allowComment: boolean;
  /** False if donors can only choose a suggested amount. */
  allowCustomAmount: boolean;
  /** Consents that the form asks for, in the wording that the server stores with the donation. */
  consents: ConsentOffer[];
  /** Visible and hidden custom fields. The page can preset both kinds with `customFieldPreset`. */
  customFields: CustomFieldOffer[];
  /** True if the form also sends presets for other custom fields, as text. */
  allowUnlistedCustomFields: boolean;
  /** Party that sends the receipt to the donor. */
  receiptSender: 'platform' | 'processor' | 'none';
  /** Additional names for URL parameters in links to this form, in lowercase, keyed by setting. */
  urlAliases?: Partial<Record<UrlSetting, string[]>> | undefined;
  /** Texts that replace the form's own texts, keyed by text name. */
  texts: Record<string, string>;
  payments: [PaymentOffer, ...PaymentOffer[]];
}

/** Schema for an array with at least one item. */
export const nonEmptyArray = <Item extends z.ZodType>(item: Item) => z.tuple([item], item);

const minorUnits = z.int().nonnegative();

const giftOption = z.strictObject({
  value: minorUnits.positive(),
  description: z.string().optional(),
  displayValue: z.string().optional(),
  isDefault: z.boolean().optional(),
});

const feeRate = z.strictObject({
  basisPoints: z.int().min(0).max(5_000),
  fixed: minorUnits,
  maximum: minorUnits.positive().optional(),
});

const currencyOffer = z.strictObject({
  code: z.string(),
  decimals: z.int().min(0).max(4),
  minimum: minorUnits.positive(),
  maximum: minorUnits.positive(),
  giftArray: z.array(giftOption),
  giftArrays: z.partialRecord(z.enum(DONATION_FREQUENCIES), z.array(giftOption)).optional(),
  feeCover: feeRate
    .extend({
      methods: z.partialRecord(z.enum(PaymentMethodType), feeRate).optional(),
      projectId: z.string().optional(),
    })
    .optional(),
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
  text: z.string(),
  required: z.boolean(),
});

const paymentOffer = z.strictObject({
  provider: z.string(),
  label: z.string().optional(),
  methods: z.array(z.enum(PaymentMethodType)),
  hasField: z.boolean(),
  hasHostedCheckout: z.boolean(),
  hasCustomerPortal: z.boolean(),
  hasWallets: z.boolean().optional(),
  options: z.record(z.string(), z.string()),
});

export const formDefinition: z.ZodType<FormDefinition> = z.strictObject({
  id: z.string(),
  name: z.string().optional(),
  organization: z.strictObject({ name: z.string(), contact: z.string() }),
  isTest: z.boolean(),
  currencies: nonEmptyArray(currencyOffer),
  frequencies: nonEmptyArray(z.enum(DONATION_FREQUENCIES)),
  monthlyUpsell: z.boolean(),
  projects: nonEmptyArray(projectOffer),
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
  receiptSender: z.enum(['platform', 'processor', 'none']),
  urlAliases: z
    .partialRecord(z.enum(Object.keys(URL_PARAMETERS) as UrlSetting[]), z.array(z.string()))
    .optional(),
  texts: z.record(z.string(), z.string()),
  payments: nonEmptyArray(paymentOffer),
});
