import type { DonationFrequency } from '../donation/frequency.ts';
import type { ImpactDrawing } from '../donation/impact-drawing.ts';
import type { PaymentMethodType } from '../donation/payment-method-type.ts';
import type { CustomFieldDataFormatter, CustomFieldDataType } from '../donor/custom-field.ts';
import type { DonorField } from '../donor/donor.ts';
import type { FeeCover } from '../money/fee-cover.ts';
import type { UrlSetting } from '../settings/from-url.ts';

/** Suggested gift amount. */
export interface GiftOption {
  /** Minor units. */
  value: number;
  /** Description of the gift's impact, in plain text. */
  description?: string | undefined;
  /** Drawing beside the description. Default: `heart`. */
  drawing?: ImpactDrawing | undefined;
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

/** Declarations that the server stores with the donation, in the wording that the donor sees. */
export interface GiftAidOffer {
  /** For one donation. */
  single: string;
  /** For this donation, future donations, and those of the past 4 years. */
  all: string;
  /** Language of the declarations, such as `en-GB`. */
  language: string;
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
  /** True if the server emails the donor's message to the person that a tribute names. */
  sendsTributeMail?: boolean | undefined;
  donorFields: { name: DonorField; required: boolean }[];
  /** True if an organization can donate without entering a person's name. */
  allowOrganizations: boolean;
  /** True if donors can keep their name private. */
  allowAnonymous: boolean;
  allowComment: boolean;
  /** False if donors can only choose a suggested amount. */
  allowCustomAmount: boolean;
  /** Consents that the form asks for, in the wording that the server stores with the donation. */
  consents: { id: string; text: string; required: boolean }[];
  /** Gift Aid declarations. Undefined if the form offers no Gift Aid. */
  giftAid?: GiftAidOffer | undefined;
  /** Visible and hidden custom fields. The page can preset both kinds with `customFieldPreset`. */
  customFields: CustomFieldOffer[];
  /** True if the form also sends presets for other custom fields, as text. */
  allowUnlistedCustomFields: boolean;
  /** Party that sends the receipt to the donor. */
  receiptSender: 'us' | 'platform' | 'processor' | 'none';
  /** Additional names for URL parameters in links to this form, in lowercase, keyed by setting. */
  urlAliases?: Partial<Record<UrlSetting, string[]>> | undefined;
  /** Texts that replace the form's own texts, keyed by text name. */
  texts: Record<string, string>;
  payments: [PaymentOffer, ...PaymentOffer[]];
}
