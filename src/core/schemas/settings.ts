import { z } from 'zod';
import { DONOR_FIELDS, type DonorField } from '../donor/donor.ts';
import { TRACKING_FIELDS, type TrackingField } from '../donation/tracking.ts';
import type { DonateResponse } from './donation-outcome.ts';

/** Suggested gift amount set by the page. */
export interface PageGift {
  /** An amount in major units, such as "25" or "25.50". */
  value: string;
  /** Impact of the gift, in plain text. */
  description?: string | undefined;
  /** Plain text shown instead of the amount. */
  displayValue?: string | undefined;
  /** Selects this amount. Takes precedence over `isDefault`. */
  isSelected?: boolean | undefined;
  /** Selects this amount if no other amount is selected. */
  isDefault?: boolean | undefined;
}

/** The donor's details. They fill in the fields that the donor has not touched. */
export interface PageDonorInfo {
  firstName?: string | undefined;
  lastName?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
  /** Street address. */
  address1?: string | undefined;
  /** Second line of the address. */
  address2?: string | undefined;
  city?: string | undefined;
  /** Code or name of the state or province. */
  state?: string | undefined;
  /** Postal or ZIP code. */
  postal?: string | undefined;
  /** ISO 3166-1 code, such as `US`, or the English name. */
  country?: string | undefined;
}

/** Settings for the gift. */
export interface PageGiftInfo {
  /** Suggested amounts. They replace the form's own. */
  giftArrays?: readonly PageGift[] | undefined;
  /** Preselected amount, in major units. */
  amount?: number | string | undefined;
  /** Preselected frequency, if the form offers it. */
  frequency?: 'once' | 'monthly' | 'quarterly' | 'annually' | undefined;
  /** Initial state of the option to cover the transaction fee. */
  coverCosts?: boolean | undefined;
  /** Initial text of the comment. */
  comments?: string | undefined;
  /** Code of the segment that the gift is attributed to. */
  segmentOverrideCode?: string | undefined;
  /** Code of the project that the gift is for. The donor cannot change the project. */
  projectCodeOverride?: string | undefined;
  /** @deprecated use `projectCodeOverride`. */
  projectOverrideCode?: string | undefined;
  /** Code of the preselected project. */
  projectCodePreselect?: string | undefined;
}

/** Source of the visit. The URL's `utm_…` parameters and click IDs take precedence. */
export interface PageAnalyticsTracking {
  utmCampaign?: string | undefined;
  utmSource?: string | undefined;
  utmMedium?: string | undefined;
  utmContent?: string | undefined;
  utmTerm?: string | undefined;
  utmId?: string | undefined;
  /** Ad click ID, such as `gclid`. */
  adClickId?: string | undefined;
}

/**
 * Settings that a page can assign to `window.ServiceDonorsForms.settings`, and change until the
 * donation is submitted (Fundraising Platform API, "Embedded form settings").
 */
export interface PageSettings {
  /** The donor's details. They fill in the fields that the donor has not touched. */
  donorInfo?: PageDonorInfo | undefined;
  /** The gift that the form suggests. */
  giftInfo?: PageGiftInfo | undefined;
  /** Values of custom fields, keyed by the ID on the custom field's edit page. */
  customFieldPreset?: readonly { id: string; value: string }[] | undefined;
  /** Source of the visit. The URL's `utm_…` parameters and click IDs take precedence. */
  analyticsTracking?: PageAnalyticsTracking | undefined;
  /** Called once for each form, when the form is shown. */
  onLoad?: () => unknown;
  /** Called once for each donation, when it succeeds or its bank debit is accepted. */
  onSuccess?: (response: DonateResponse) => unknown;
}

const text = z.string().optional();
const donorInfo = z
  .object(
    Object.fromEntries(DONOR_FIELDS.map((name) => [name, text])) as Record<DonorField, typeof text>,
  )
  .describe("the donor's details; they fill in the fields that the donor has not touched");

const giftArray = z.array(
  z.object({
    value: z.string().describe('an amount in major units, such as "25" or "25.50"'),
    description: text.describe('impact of the gift, in plain text'),
    displayValue: text.describe('plain text shown instead of the amount'),
    isSelected: z.boolean().optional(),
    isDefault: z.boolean().optional(),
  }),
);

const giftInfo = z.object({
  giftArrays: giftArray.optional().describe('suggested amounts'),
  amount: z
    .union([z.number(), z.string()])
    .optional()
    .describe('preselected amount, in major units'),
  frequency: z.enum(['once', 'monthly', 'quarterly', 'annually']).optional(),
  coverCosts: z
    .boolean()
    .optional()
    .describe('initial state of the option to cover the transaction fee'),
  comments: text,
  segmentOverrideCode: text,
  projectCodeOverride: text.describe('project that the gift is for; the donor cannot change it'),
  projectOverrideCode: text.meta({ deprecated: true }).describe('use projectCodeOverride'),
  projectCodePreselect: text.describe('preselected project'),
});

const customFieldPreset = z
  .array(
    z.object({
      id: z.string().describe("ID on the custom field's edit page"),
      value: z.string(),
    }),
  )
  .describe('values of custom fields');
const analyticsTracking = z
  .object(
    Object.fromEntries(TRACKING_FIELDS.map((name) => [name, text])) as Record<
      TrackingField,
      typeof text
    >,
  )
  .describe('source of the visit; utm_… parameters and click IDs in the URL take precedence');

/**
 * Schema of `window.ServiceDonorsForms.settings` without callbacks (Fundraising Platform API,
 * "Embedded form settings"), for editors. The form itself parses each field separately.
 */
export const pageSettings = z.object({
  donorInfo: donorInfo.optional(),
  giftInfo: giftInfo.optional(),
  customFieldPreset: customFieldPreset.optional(),
  analyticsTracking: analyticsTracking.optional(),
}) satisfies z.ZodType<Omit<PageSettings, 'onLoad' | 'onSuccess'>>;
