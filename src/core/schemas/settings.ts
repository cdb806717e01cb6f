import { z } from 'zod';
import { TRACKING_FIELDS, type TrackingField } from '../donation/tracking.ts';
import { DONOR_FIELDS, type DonorField } from '../donor/donor.ts';
import type { DonateResponse } from './donation-outcome.ts';

/** Suggested gift amount that the page sets. */
export interface PageGift {
  /** An amount in major units, such as "25" or "25.50". */
  value: string;
  /** Description of the gift's impact, in plain text. */
  description?: string | undefined;
  /** Plain text to show instead of the amount. */
  displayValue?: string | undefined;
  /** True to preselect this amount. Takes precedence over `isDefault`. */
  isSelected?: boolean | undefined;
  /** True to preselect this amount if no other amount is selected. */
  isDefault?: boolean | undefined;
}

/** The donor's details. The form fills in the fields that the donor has not edited. */
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
  /** ISO 3166-1 code of the country, such as `US`, or its English name. */
  country?: string | undefined;
}

/** Settings for the gift. */
export interface PageGiftInfo {
  /** Suggested amounts that replace the form's own suggestions. */
  giftArrays?: readonly PageGift[] | undefined;
  /** Preselected amount, in major units. */
  amount?: number | string | undefined;
  /** Preselected frequency. The form ignores a frequency that it does not offer. */
  frequency?: 'once' | 'monthly' | 'quarterly' | 'annually' | undefined;
  /** Initial state of the option to cover the transaction fee. */
  coverCosts?: boolean | undefined;
  /** Initial text of the comment field. */
  comments?: string | undefined;
  /** Code of the segment to which the gift belongs. */
  segmentOverrideCode?: string | undefined;
  /** Code of the project that receives the gift. The donor cannot change the project. */
  projectCodeOverride?: string | undefined;
  /** @deprecated use `projectCodeOverride`. */
  projectOverrideCode?: string | undefined;
  /** Code of the preselected project. */
  projectCodePreselect?: string | undefined;
}

/** Campaign parameters of the visit. The URL's `utm_…` parameters and click IDs take precedence. */
export interface PageAnalyticsTracking {
  utmCampaign?: string | undefined;
  utmSource?: string | undefined;
  utmMedium?: string | undefined;
  utmContent?: string | undefined;
  utmTerm?: string | undefined;
  utmId?: string | undefined;
  /** Ad click ID, such as the value of `gclid`. */
  adClickId?: string | undefined;
}

/**
 * Settings that a page can assign to `window.ServiceDonorsForms.settings` and can change until the
 * donor submits the donation (Fundraising Platform API, "Embedded form settings").
 */
export interface PageSettings {
  /** The donor's details. The form fills in the fields that the donor has not edited. */
  donorInfo?: PageDonorInfo | undefined;
  /** Settings for the gift. */
  giftInfo?: PageGiftInfo | undefined;
  /** Preset values of custom fields. `id` is the ID that the custom field's edit page shows. */
  customFieldPreset?: readonly { id: string; value: string }[] | undefined;
  /**
   * Campaign parameters of the visit. The URL's `utm_…` parameters and click IDs take precedence.
   */
  analyticsTracking?: PageAnalyticsTracking | undefined;
  /** Callback that runs once for each form, when the form appears. */
  onLoad?: () => unknown;
  /** Callback that runs once for each donation that succeeds or has an accepted bank debit. */
  onSuccess?: (response: DonateResponse) => unknown;
}

const text = z.string().optional();
const donorInfo = z
  .object(
    Object.fromEntries(DONOR_FIELDS.map((name) => [name, text])) as Record<DonorField, typeof text>,
  )
  .describe("donor's details; the form fills in the fields that the donor has not edited");

const giftArray = z.array(
  z.object({
    value: z.string().describe('amount in major units, such as "25" or "25.50"'),
    description: text.describe("description of the gift's impact, in plain text"),
    displayValue: text.describe('plain text to show instead of the amount'),
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
  projectCodeOverride: text.describe(
    'code of the project that receives the gift; the donor cannot change the project',
  ),
  projectOverrideCode: text.meta({ deprecated: true }).describe('use projectCodeOverride'),
  projectCodePreselect: text.describe('code of the preselected project'),
});

const customFieldPreset = z
  .array(
    z.object({
      id: z.string().describe("ID that the custom field's edit page shows"),
      value: z.string(),
    }),
  )
  .describe('preset values of custom fields');
const analyticsTracking = z
  .object(
    Object.fromEntries(TRACKING_FIELDS.map((name) => [name, text])) as Record<
      TrackingField,
      typeof text
    >,
  )
  .describe(
    'campaign parameters of the visit; utm_… parameters and click IDs in the URL take precedence',
  );

/** For code editors. The form parses each field separately. */
export const pageSettings = z.object({
  donorInfo: donorInfo.optional(),
  giftInfo: giftInfo.optional(),
  customFieldPreset: customFieldPreset.optional(),
  analyticsTracking: analyticsTracking.optional(),
}) satisfies z.ZodType<Omit<PageSettings, 'onLoad' | 'onSuccess'>>;
