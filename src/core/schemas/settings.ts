import { z } from 'zod';
import { DONOR_FIELDS, type DonorField } from '../donor/donor.ts';
import { TRACKING_FIELDS, type TrackingField } from '../donation/tracking.ts';
import type { DonateResponse } from './donation-outcome.ts';

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
});

/** The same shape, in constants too. */
type Given<Value> = Value extends readonly (infer Item)[]
  ? readonly Given<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Given<Value[Name]> }
    : Value;

/** What a page may set in `window.ServiceDonorsForms.settings`, until the gift is sent. */
export interface PageSettings extends Given<z.infer<typeof pageSettings>> {
  /** Called once for each form, when it is shown. */
  onLoad?: () => unknown;
  /** Called once for each gift, when its success is known. */
  onSuccess?: (response: DonateResponse) => unknown;
}
