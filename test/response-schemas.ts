/** Schemas of what the server sends. The compiler checks that they match the types. */
import { z } from 'zod';
import {
  AWAITING,
  FAILURE_REASONS,
  PUBLIC_STATUSES,
} from '../src/core/donation/donation-status.ts';
import { DONATION_FREQUENCIES, Frequency } from '../src/core/donation/frequency.ts';
import { IMPACT_DRAWINGS } from '../src/core/donation/impact-drawing.ts';
import { PaymentMethodType } from '../src/core/donation/payment-method-type.ts';
import { TRACKING_FIELDS, type TrackingField } from '../src/core/donation/tracking.ts';
import { ADDRESS_FIELDS } from '../src/core/donor/address.ts';
import { CustomFieldDataFormatter, CustomFieldDataType } from '../src/core/donor/custom-field.ts';
import { DONOR_FIELDS } from '../src/core/donor/donor.ts';
import { enAddress } from '../src/core/i18n/en-address.ts';
import type { AddressFormat, CountryList } from '../src/core/schemas/address-format.ts';
import { nonEmptyArray } from '../src/core/schemas/configuration-values.ts';
import type { DonateResponse, DonationOutcome } from '../src/core/schemas/donation-outcome.ts';
import type { FormDefinition } from '../src/core/schemas/form-definition.ts';
import type { GoalProgress } from '../src/core/schemas/goal-progress.ts';
import type { ProblemDetails } from '../src/core/schemas/problem.ts';
import {
  OUTBOUND_WEBHOOK_EVENTS,
  type OutboundWebhookMessage,
} from '../src/core/schemas/webhook-event.ts';
import { URL_PARAMETERS, type UrlSetting } from '../src/core/settings/from-url.ts';

const minorUnits = z.int().nonnegative();

const giftOption = z.strictObject({
  drawing: z.enum(IMPACT_DRAWINGS).optional(),
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
  giftAid: z.strictObject({ single: z.string(), all: z.string(), language: z.string() }).optional(),
  sendsTributeMail: z.boolean().optional(),
  donorFields: z.array(z.strictObject({ name: z.enum(DONOR_FIELDS), required: z.boolean() })),
  allowOrganizations: z.boolean(),
  allowAnonymous: z.boolean(),
  allowComment: z.boolean(),
  allowCustomAmount: z.boolean(),
  consents: z.array(consentOffer),
  customFields: z.array(customFieldOffer),
  allowUnlistedCustomFields: z.boolean(),
  receiptSender: z.enum(['us', 'platform', 'processor', 'none']),
  urlAliases: z
    .partialRecord(z.enum(Object.keys(URL_PARAMETERS) as UrlSetting[]), z.array(z.string()))
    .optional(),
  texts: z.record(z.string(), z.string()),
  payments: nonEmptyArray(paymentOffer),
});

const projectSplit = z.strictObject({
  projectId: z.string(),
  projectName: z.string(),
  projectCode: z.string().exactOptional(),
  amount: z.string().nullable(),
});

const donateResponse: z.ZodType<DonateResponse> = z.strictObject({
  success: z.boolean(),
  message: z.string().nullable(),
  transactionId: z.string().nullable(),
  amount: z.number(),
  frequency: z.enum(Frequency).exactOptional(),
  segment: z.string().exactOptional(),
  giftId: z.number().nullable().exactOptional(),
  projectSplit: z.array(projectSplit),
});

const action = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('redirect'), url: z.url() }),
  z.strictObject({ kind: z.literal('field'), secret: z.string() }),
]);

export const outcome: z.ZodType<DonationOutcome> = z.strictObject({
  reference: z.string(),
  status: z.enum(PUBLIC_STATUSES),
  awaiting: z.enum(AWAITING).optional(),
  reason: z.enum(FAILURE_REASONS).optional(),
  gift: z.strictObject({
    amount: z.int(),
    coveredFees: z.int(),
    total: z.int(),
    currency: z.string(),
    frequency: z.enum(DONATION_FREQUENCIES),
  }),
  response: donateResponse.optional(),
  action: action.optional(),
  provider: z.string(),
  instructions: z.string().optional(),
});

export const goalProgress: z.ZodType<GoalProgress> = z.strictObject({
  id: z.string(),
  name: z.string(),
  currency: z.string(),
  decimals: z.int().min(0).max(4),
  target: minorUnits.positive(),
  raised: minorUnits,
  donations: minorUnits,
  asOf: z.iso.datetime(),
});

export const problemDetails: z.ZodType<ProblemDetails> = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.string(),
  detail: z.string(),
  requestId: z.string(),
});

export const countryList: z.ZodType<CountryList> = z.array(
  z.strictObject({ code: z.string().length(2), alpha3: z.string().length(3) }),
);

const labels = <Label extends string>(texts: Readonly<Record<Label, string>>) =>
  z.enum(Object.keys(texts) as Label[]);

export const addressFormat: z.ZodType<AddressFormat> = z.strictObject({
  lines: z.array(z.array(z.enum(ADDRESS_FIELDS)).min(1)),
  required: z.array(z.enum(ADDRESS_FIELDS)),
  labels: z.strictObject({
    city: labels(enAddress.cityLabels),
    state: labels(enAddress.stateLabels),
    postal: labels(enAddress.postalLabels),
  }),
  states: z
    .array(z.strictObject({ code: z.string(), name: z.string(), latin: z.string().optional() }))
    .optional(),
  postal: z.strictObject({ pattern: z.string(), example: z.string() }).optional(),
});

const messageAmount = z.number().nonnegative();
const trackingField = z.string().optional();

export const outboundWebhookMessageSchema = z.strictObject({
  type: z.enum(OUTBOUND_WEBHOOK_EVENTS),
  timestamp: z.iso.datetime(),
  data: z.strictObject({
    reference: z.string(),
    parent: z.string().optional(),
    organization: z.string(),
    form: z.string(),
    isTest: z.boolean(),
    currency: z.string(),
    decimals: z.int(),
    amount: messageAmount,
    coveredFees: messageAmount,
    total: messageAmount,
    frequency: z.enum(DONATION_FREQUENCIES),
    projects: z.array(
      z.strictObject({ id: z.string(), code: z.string().optional(), amount: messageAmount }),
    ),
    segment: z.string().optional(),
    tracking: z.strictObject(
      Object.fromEntries(TRACKING_FIELDS.map((name) => [name, trackingField])) as Record<
        TrackingField,
        typeof trackingField
      >,
    ),
    language: z.string(),
    page: z.string().optional(),
    changed: messageAmount.optional(),
    refunded: messageAmount.optional(),
  }),
}) satisfies z.ZodType<OutboundWebhookMessage>;
