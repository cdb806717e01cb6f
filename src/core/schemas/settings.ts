import { z } from 'zod';
import { DONOR_FIELDS, type DonorField } from '../donor/donor.ts';
import { TRACKING_FIELDS, type TrackingField } from '../donation/tracking.ts';
import type { DonateResponse } from './donation-outcome.ts';

type Texts<Name extends string> = Readonly<Partial<Record<Name, string | undefined>>>;

/** Suggested gift amount set by the page. */
export interface PageGift {
  /** An amount in major units, such as "25" or "25.50". */
  readonly value: string;
  /** Impact of the gift, in plain text. */
  readonly description?: string | undefined;
  /** Plain text shown instead of the amount. */
  readonly displayValue?: string | undefined;
  readonly isSelected?: boolean | undefined;
  readonly isDefault?: boolean | undefined;
}

/**
 * Settings that a page can assign to `window.ServiceDonorsForms.settings` until the donation is
 * submitted: Fundraising Platform API, 'Embedded form settings'.
 */
export interface PageSettings {
  /** Fills the fields that the donor has not touched. */
  readonly donorInfo?: Texts<DonorField> | undefined;
  readonly giftInfo?:
    | {
        /** The suggested gifts. */
        readonly giftArrays?: readonly PageGift[] | undefined;
        /** Preselected amount, in major units. */
        readonly amount?: number | string | undefined;
        readonly frequency?: 'once' | 'monthly' | 'quarterly' | 'annually' | undefined;
        /** Initial state of the option to cover transaction fees. */
        readonly coverCosts?: boolean | undefined;
        readonly comments?: string | undefined;
        readonly segmentOverrideCode?: string | undefined;
        /** Project of the gift; the donor cannot change it. */
        readonly projectCodeOverride?: string | undefined;
        /** @deprecated use `projectCodeOverride`. */
        readonly projectOverrideCode?: string | undefined;
        /** Preselected project. */
        readonly projectCodePreselect?: string | undefined;
      }
    | undefined;
  /** Values of custom fields, by the id from the custom field's edit page. */
  readonly customFieldPreset?:
    readonly { readonly id: string; readonly value: string }[] | undefined;
  /** Source of the visit; utm_… parameters in the URL take precedence. */
  readonly analyticsTracking?: Texts<TrackingField> | undefined;
  /** Called once per form, when it is shown. */
  onLoad?: () => unknown;
  /** Called once per donation, when it succeeds. */
  onSuccess?: (response: DonateResponse) => unknown;
}

const text = z.string().optional();
const donorInfo = z
  .object(
    Object.fromEntries(DONOR_FIELDS.map((name) => [name, text])) as Record<DonorField, typeof text>,
  )
  .describe('fills the fields that the donor has not touched');

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
    .describe('initial state of the option to cover transaction fees'),
  comments: text,
  segmentOverrideCode: text,
  projectCodeOverride: text.describe('project of the gift; the donor cannot change it'),
  projectOverrideCode: text.meta({ deprecated: true }).describe('use projectCodeOverride'),
  projectCodePreselect: text.describe('preselected project'),
});

const customFieldPreset = z
  .array(
    z.object({
      id: z.string().describe("the custom field's id, from its edit page"),
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
  .describe('source of the visit; utm_… parameters in the URL take precedence');

/**
 * Schema of `window.ServiceDonorsForms.settings` without callbacks (Fundraising Platform API,
 * 'Embedded form settings'), for editors. The form itself parses each field separately.
 */
export const pageSettings = z.object({
  donorInfo: donorInfo.optional(),
  giftInfo: giftInfo.optional(),
  customFieldPreset: customFieldPreset.optional(),
  analyticsTracking: analyticsTracking.optional(),
}) satisfies z.ZodType<Omit<PageSettings, 'onLoad' | 'onSuccess'>>;
