import { z } from 'zod';
import { DONOR_FIELDS, type DonorField } from '../donor/donor.ts';
import { TRACKING_FIELDS, type TrackingField } from '../donation/tracking.ts';
import type { DonateResponse } from './donation-outcome.ts';

type Texts<Name extends string> = Readonly<Partial<Record<Name, string | undefined>>>;

/** A suggested gift, as a page sets it. */
export interface PageGift {
  /** An amount in major units, such as "25" or "25.50". */
  readonly value: string;
  /** What the gift does; plain text. */
  readonly description?: string | undefined;
  /** Shown instead of the amount; plain text. */
  readonly displayValue?: string | undefined;
  readonly isSelected?: boolean | undefined;
  readonly isDefault?: boolean | undefined;
}

/**
 * What a page may set in `window.ServiceDonorsForms.settings`, until the gift is sent: Fundraising
 * Platform API, 'Embedded form settings'.
 */
export interface PageSettings {
  /** Fills the fields that the donor has not touched. */
  readonly donorInfo?: Texts<DonorField> | undefined;
  readonly giftInfo?:
    | {
        /** The suggested gifts. */
        readonly giftArrays?: readonly PageGift[] | undefined;
        /** The amount that is suggested, in major units. */
        readonly amount?: number | string | undefined;
        readonly frequency?: 'once' | 'monthly' | 'quarterly' | 'annually' | undefined;
        /** Whether the donor adds the costs of the payment. */
        readonly coverCosts?: boolean | undefined;
        readonly comments?: string | undefined;
        readonly segmentOverrideCode?: string | undefined;
        /** The project that the gift is for; the donor does not choose. */
        readonly projectCodeOverride?: string | undefined;
        /** @deprecated use `projectCodeOverride`. */
        readonly projectOverrideCode?: string | undefined;
        /** The project that is chosen beforehand. */
        readonly projectCodePreselect?: string | undefined;
      }
    | undefined;
  /** Values of custom fields; an id is that of the custom field's edit page. */
  readonly customFieldPreset?:
    readonly { readonly id: string; readonly value: string }[] | undefined;
  /** What led the donor here; utm_… of the address are stronger. */
  readonly analyticsTracking?: Texts<TrackingField> | undefined;
  /** Called once for each form, when it is shown. */
  onLoad?: () => unknown;
  /** Called once for each gift, when its success is known. */
  onSuccess?: (response: DonateResponse) => unknown;
}

const text = z.string().optional();
const donorInfo = z
  .object(
    Object.fromEntries(DONOR_FIELDS.map((name) => [name, text])) as Record<DonorField, typeof text>,
  )
  .describe('fills the fields that the donor has not touched');

const giftArray = z
  .array(
    z.object({
      value: z.string().describe('an amount in major units, such as "25" or "25.50"'),
      description: text.describe('what the gift does; plain text'),
      displayValue: text.describe('shown instead of the amount; plain text'),
      isSelected: z.boolean().optional(),
      isDefault: z.boolean().optional(),
    }),
  )
  .max(12);

const giftInfo = z.object({
  giftArrays: giftArray.optional().describe('the suggested gifts'),
  amount: z
    .union([z.number(), z.string()])
    .optional()
    .describe('the amount that is suggested, in major units'),
  frequency: z.enum(['once', 'monthly', 'quarterly', 'annually']).optional(),
  coverCosts: z.boolean().optional().describe('whether the donor adds the costs of the payment'),
  comments: text,
  segmentOverrideCode: text,
  projectCodeOverride: text.describe('the project that the gift is for; the donor does not choose'),
  projectOverrideCode: text.meta({ deprecated: true }).describe('use projectCodeOverride'),
  projectCodePreselect: text.describe('the project that is chosen beforehand'),
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
  .describe('what led the donor here; utm_… of the address are stronger');

/**
 * `window.ServiceDonorsForms.settings` but its callbacks: Fundraising Platform API, 'Embedded form
 * settings'. For editors; the form itself reads whatever it finds, field by field.
 */
export const pageSettings = z.object({
  donorInfo: donorInfo.optional(),
  giftInfo: giftInfo.optional(),
  customFieldPreset: customFieldPreset.optional(),
  analyticsTracking: analyticsTracking.optional(),
}) satisfies z.ZodType<Omit<PageSettings, 'onLoad' | 'onSuccess'>>;
