import { z } from 'zod';
import {
  MAX_CUSTOM_VALUE_LENGTH,
  CustomFieldDataFormatter,
  CustomFieldDataType,
  MAX_CUSTOM_FIELDS,
  isFormatterAllowed,
} from '../donor/custom-field.ts';
import {
  MAX_CODE_LENGTH,
  MAX_CONSENT_LENGTH,
  DONOR_FIELDS,
  MAX_CONSENTS,
  MAX_SPLITS,
} from '../donor/donor.ts';
import { DONATION_FREQUENCIES } from '../donation/frequency.ts';
import { STRIPE_METHODS, type StripeMethod } from '../donation/stripe-methods.ts';
import { LANGUAGES } from '../i18n/languages.ts';
import { isServiceUrl } from '../url/service-url.ts';
import { nonEmptyArray } from './form-definition.ts';
import {
  describeExpectedAmount,
  describeExpectedOrigin,
  describeExpectedPercent,
} from './configuration-hints.ts';
import { OUTBOUND_WEBHOOK_EVENTS } from './webhook-event.ts';
import { lineSchema, textSchema } from './text.ts';

function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Z]/.test(name);
  } catch {
    return false;
  }
}

/** Rejects lists in which two entries have the same key. */
const requireUnique = <Entries extends z.ZodType<readonly unknown[]>>(
  list: Entries,
  keyName: string,
  getKey: (entry: z.output<Entries>[number]) => string,
) =>
  list.refine((entries) => new Set(entries.map(getKey)).size === entries.length, {
    error: ({ input }) => {
      const keys = (input as z.output<Entries>).map(getKey);
      const duplicate = keys.findIndex((key, index) => keys.indexOf(key) < index);
      return `expected each ${keyName} only once; entries ${keys.indexOf(keys[duplicate]!)} and ${duplicate} are the same`;
    },
  });

/** Schema for an object whose keys are all optional and limited to `names`. */
const recordWithKeys = <Name extends string, Value extends z.ZodType>(
  names: readonly Name[],
  value: Value,
) =>
  z.partialRecord(z.enum(names), value, {
    error: (issue: z.core.$ZodRawIssue) =>
      issue.code === 'unrecognized_keys'
        ? `found ${issue.keys.join(', ')}, expected only ${names.join(', ')}`
        : undefined,
  });

/** Schema for text that is the same in all languages, or given per language. */
const createLocalizedText = (schema: z.ZodString) =>
  z.union(
    [
      schema,
      recordWithKeys(LANGUAGES, schema).refine(
        (texts) => Object.keys(texts).length > 0,
        'expected text in at least one language',
      ),
    ],
    'expected a non-empty string, or one per language such as { "en": "Wells", "de": "Brunnen" }',
  );
/** Text that donors read: the same in all languages, or given per language. */
const localizedText = createLocalizedText(z.string().min(1));
export type LocalizedText = z.infer<typeof localizedText>;

const id = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'expected at most 40 lowercase letters, digits, and hyphens');
/** Creates Zod options whose error message depends on the input. */
const createErrorOptions = (describe: (text: string) => string) => ({
  error: ({ input }: z.core.$ZodRawIssue) => describe(String(input)),
});

const amount = z.string().regex(/^\d+(\.\d+)?$/, createErrorOptions(describeExpectedAmount));
const secret = z
  .union(
    [
      z.strictObject({
        env: z.string().regex(/^[A-Z][A-Z0-9_]*$/, 'expected the name of an environment variable'),
      }),
      z.strictObject({
        file: z.string().regex(/^(\/|[A-Za-z]:[\\/])/, 'expected an absolute path'),
      }),
    ],
    'expected { "env": "NAME" } or { "file": "/run/secrets/name" }',
  )
  .describe(
    'environment variable or file that contains the secret; never put the secret itself here',
  );
export type SecretName = z.infer<typeof secret>;

const serviceUrl = z
  .string()
  .refine(
    isServiceUrl,
    'expected an https:// URL (http:// only for localhost) without a user name, query, or fragment',
  );

const origin = z
  .string()
  .refine(
    (text) => URL.canParse(text) && new URL(text).origin === text && /^https?:/.test(text),
    createErrorOptions(describeExpectedOrigin),
  );

const MAX_PERCENT = 50;
const percentErrorOptions = createErrorOptions((text) =>
  describeExpectedPercent(text, MAX_PERCENT),
);
const percent = z
  .string()
  .regex(/^\d{1,2}(\.\d{1,2})?$/, { ...percentErrorOptions, abort: true })
  .refine((text) => Number(text) <= MAX_PERCENT, percentErrorOptions);

const giftArray = z.array(
  z.strictObject({
    value: amount,
    description: localizedText.optional(),
    displayValue: localizedText.optional(),
    isDefault: z.boolean().optional(),
  }),
);

/** Names of the payment methods in the configuration. */
const PAYMENT_METHODS = ['card', 'bank', 'wallet'] as const;

const feeRate = z.strictObject({
  percent: percent.describe('percentage of the total charged'),
  fixed: amount.describe('added to the percentage, per payment'),
  maximum: amount
    .refine(
      (text) => Number(text) > 0,
      'expected more than 0; for a payment method without fees, set percent and fixed to 0',
    )
    .optional()
    .describe('maximum fee; if absent, the fee has no upper limit'),
});

const currency = z.strictObject({
  code: z.string().regex(/^[A-Z]{3}$/, 'expected an uppercase ISO 4217 code, such as USD'),
  minimum: amount,
  maximum: amount,
  giftArray,
  giftArrays: recordWithKeys(DONATION_FREQUENCIES, giftArray)
    .default({})
    .describe(
      'suggested amounts for individual frequencies, which replace giftArray for those frequencies',
    ),
  feeCover: feeRate
    .extend({
      methods: recordWithKeys(PAYMENT_METHODS, feeRate)
        .default({})
        .describe(
          'rates for individual payment methods; a rate of 0 means that the method has no fee to cover',
        ),
      projectId: lineSchema(MAX_CODE_LENGTH)
        .min(1)
        .optional()
        .describe('ID of the project that receives covered fees; if absent, none does'),
    })
    .optional()
    .describe('transaction fee that donors can cover; offline payments have none'),
});

const project = z.strictObject({
  id: lineSchema(MAX_CODE_LENGTH).min(1),
  code: lineSchema(MAX_CODE_LENGTH).min(1).optional(),
  name: localizedText,
  goal: z
    .strictObject({ raised: amount, target: amount })
    .optional()
    .describe('amounts in the first currency'),
});

/** ID that becomes part of a form control's name. */
const controlId = lineSchema(MAX_CODE_LENGTH).regex(
  /^[^\s"']+$/,
  'expected an ID without spaces or quotes',
);

const consent = z.strictObject({
  id: controlId,
  text: createLocalizedText(textSchema(MAX_CONSENT_LENGTH).min(1)),
  required: z.boolean().default(false),
});

type DataType = keyof typeof CustomFieldDataType;
type Formatter = keyof typeof CustomFieldDataFormatter;
const dataTypes = Object.keys(CustomFieldDataType) as DataType[];
const formatters = Object.keys(CustomFieldDataFormatter) as Formatter[];

const value = lineSchema(MAX_CUSTOM_VALUE_LENGTH).min(1);
const option = z.union(
  [
    value.transform((option) => ({ value: option, label: option as LocalizedText })),
    z.strictObject({ value, label: localizedText }),
  ],
  'expected a string, or { "value": …, "label": … }',
);

const customField = z
  .strictObject({
    id: controlId,
    type: z.enum(dataTypes),
    label: localizedText
      .optional()
      .describe('if absent, the field is hidden; the page can still preset it'),
    hint: localizedText.optional(),
    required: z.boolean().default(false),
    formatter: z.enum(formatters).default('None'),
    options: requireUnique(z.array(option).min(1), 'value (ignoring case)', (option) =>
      option.value.toLowerCase(),
    ).optional(),
  })
  .superRefine(({ type, label, hint, required, formatter, options }, context) => {
    const expect = (isRight: boolean, name: string, message: string, input?: unknown): void => {
      if (!isRight) context.addIssue({ code: 'custom', path: [name], message, input });
    };
    expect(
      (type === 'List' || type === 'Multiselect') === (options !== undefined),
      'options',
      'expected options for List and Multiselect fields, and for no other type',
    );
    expect(
      type !== 'Multiselect' || !options?.some((option) => option.value.includes(',')),
      'options',
      'expected values without commas, because a comma separates the selected values of a Multiselect',
    );
    expect(
      isFormatterAllowed(CustomFieldDataType[type], CustomFieldDataFormatter[formatter]),
      'formatter',
      `expected a formatter for ${type} fields: ${formatters.filter((name) => isFormatterAllowed(CustomFieldDataType[type], CustomFieldDataFormatter[name])).join(', ')}`,
      formatter,
    );
    expect(
      label !== undefined || (hint === undefined && !required),
      'label',
      'expected a label, because a field without one is hidden and can have no hint or be required',
    );
  });

const form = z
  .strictObject({
    id,
    currencies: requireUnique(nonEmptyArray(currency), 'currency', ({ code }) => code),
    frequencies: requireUnique(
      nonEmptyArray(z.enum(DONATION_FREQUENCIES)),
      'frequency',
      (frequency) => frequency,
    ),
    monthlyUpsell: z.boolean().default(false),
    projects: requireUnique(nonEmptyArray(project), 'id', (entry) => entry.id).refine(
      (projects) => projects.length <= MAX_SPLITS,
      `expected at most ${MAX_SPLITS} projects`,
    ),
    allowSplit: z.boolean().default(false),
    allowTribute: z.boolean().default(false),
    donorFields: recordWithKeys(DONOR_FIELDS, z.enum(['required', 'optional'])),
    allowOrganizations: z.boolean().default(false),
    allowAnonymous: z.boolean().default(false),
    allowComment: z.boolean().default(false),
    allowCustomAmount: z.boolean().default(true),
    consents: requireUnique(z.array(consent).max(MAX_CONSENTS), 'id', (entry) => entry.id).default(
      [],
    ),
    customFields: requireUnique(
      z.array(customField).max(MAX_CUSTOM_FIELDS),
      'id',
      (entry) => entry.id,
    ).default([]),
    allowUnlistedCustomFields: z.boolean().default(false),
    texts: recordWithKeys(LANGUAGES, z.record(z.string(), z.string().min(1).max(500)))
      .default({})
      .describe("custom texts that replace the form's own, by language and then by text name"),
  })
  .superRefine(({ currencies, frequencies, monthlyUpsell }, context) => {
    if (monthlyUpsell && !(frequencies.includes('once') && frequencies.includes('monthly')))
      context.addIssue({
        code: 'custom',
        path: ['monthlyUpsell'],
        message: 'expected true only if frequencies include once and monthly',
        input: true,
      });
    currencies.forEach(({ giftArrays }, index) => {
      for (const frequency of DONATION_FREQUENCIES) {
        if (giftArrays[frequency] && !frequencies.includes(frequency))
          context.addIssue({
            code: 'custom',
            path: ['currencies', index, 'giftArrays', frequency],
            message: `expected a frequency that the form offers: ${frequencies.join(', ')}`,
            input: frequency,
          });
      }
    });
  });

const path = z
  .string()
  .regex(/^\/[^/\s#][^\s#]*$/, 'expected a path relative to baseUrl, such as /api/gift');
const idPath = z
  .string()
  .regex(/^[\w-]+(\.[\w-]+)*$/, 'expected a dot-separated path to the ID, such as items.0.id');

const itemsPath = z
  .string()
  .regex(/^[\w-]+(\.[\w-]+)*$/, 'expected a dot-separated path such as items or gift.id');

/**
 * Platform adapter for any HTTP API. Placeholders such as `{reference}`, `{total}`, and
 * `{donor.email}` in paths and bodies are replaced with values from the donation.
 */
const httpPlatform = z.strictObject({
  adapter: z.literal('http'),
  baseUrl: serviceUrl,
  apiKey: secret,
  record: z.strictObject({
    path,
    body: z.record(z.string(), z.json()),
    idPath: idPath.describe('path to the gift ID in the response; the ID must be an integer'),
    notRecordedStatuses: z
      .array(z.int().min(400).max(599))
      .optional()
      .describe(
        'statuses after which the platform certainly recorded nothing, so that the gift may be sent again without a lookup; default: 400, 401, 403, 404, and 422. 429 is always included',
      ),
  }),
  find: z
    .strictObject({
      path: path.refine(
        (text) => text.includes('{reference}'),
        'expected a path that contains {reference}',
      ),
      idPath,
    })
    .optional()
    .describe(
      'lookup by our reference, which must return 200 even if it finds no gift; if absent, a gift that may or may not have been recorded needs manual review',
    ),
  update: z
    .strictObject({
      method: z.enum(['POST', 'PUT', 'PATCH']),
      path,
      body: z.record(z.string(), z.json()),
    })
    .optional()
    .describe(
      'call that reports refunds, disputes, and failed or ended recurring donations; if absent, these are listed for manual entry',
    ),
  list: z
    .strictObject({
      path: path.refine(
        (text) => text.includes('{skip}') && text.includes('{take}'),
        'expected a path that contains {skip} and {take}',
      ),
      itemsPath,
      referencePath: itemsPath,
      idPath,
      amountPath: itemsPath.optional().describe('path to the amount in major units'),
    })
    .optional()
    .describe(
      'paginated call that lists the gifts added in a period, for donation-form reconcile; if absent, gifts are looked up one at a time',
    ),
});
export type HttpPlatformConfiguration = z.infer<typeof httpPlatform>;

const platformProviderType = z
  .enum(['PlatformPayments', 'ThirdPartyProcessorA', 'ThirdPartyProcessorB'])
  .optional()
  .describe(
    "the fundraising platform's name for this payment provider (Fundraising Platform API, 'Enumerations', PaymentProviderType); if absent, it is not sent",
  );

const stripePayment = z.strictObject({
  provider: z.literal('stripe'),
  label: localizedText.optional(),
  platformProviderType,
  publicKey: z
    .string()
    .regex(
      /^pk_(test|live)_\w+$/,
      'expected the publishable key, which starts with pk_test_ or pk_live_',
    ),
  secretKey: secret,
  webhookSecret: secret
    .optional()
    .describe(
      'signing secret of the webhook endpoint /webhooks/stripe/<organization ID>; without it, the server does not learn of renewals, refunds, and disputes',
    ),
  methods: requireUnique(
    nonEmptyArray(z.enum(Object.keys(STRIPE_METHODS) as [StripeMethod, ...StripeMethod[]])),
    'method',
    (method) => method,
  ).default(['card']),
  methodOrder: z
    .enum(['automatic', 'configured'])
    .default('automatic')
    .describe(
      "order of the methods: the donor's local methods and then Stripe's own order, or the order of methods",
    ),
  wallets: z
    .boolean()
    .default(true)
    .describe(
      "true to show wallet buttons above the donor's details, as far as methods allow them",
    ),
  apiUrl: serviceUrl
    .optional()
    .describe("URL of the sandbox that emulates Stripe's API; allowed only with test keys"),
  scriptUrl: serviceUrl
    .optional()
    .describe("URL of the sandbox's stand-in for Stripe.js; allowed only with test keys"),
});

const paypalPayment = z.strictObject({
  provider: z.literal('paypal'),
  label: localizedText.optional().describe('name of the payment method; if absent, PayPal'),
  platformProviderType,
  environment: z
    .enum(['sandbox', 'live'])
    .describe('sandbox for a sandbox app, with which no money moves; live for a live app'),
  clientId: z
    .string()
    .regex(/^[\w-]+$/, "expected the app's client ID: letters, digits, hyphens, and underscores"),
  clientSecret: secret,
  webhookId: z
    .string()
    .regex(/^\w+$/, 'expected the ID that PayPal shows beside the webhook, not its URL')
    .optional()
    .describe(
      'ID of the webhook /webhooks/paypal/<organization ID>; without it, the server does not learn of renewals, refunds, and disputes',
    ),
  apiUrl: serviceUrl
    .optional()
    .describe(
      "URL of a server that emulates PayPal's API; allowed only in the sandbox environment",
    ),
});

const offlinePayment = z.strictObject({
  provider: z.literal('offline'),
  label: localizedText.describe('name of the payment method, such as "Bank transfer or check"'),
  description: localizedText.describe('text shown with the payment method before the donation'),
  instructions: localizedText.describe(
    'payment instructions shown after the donation; {reference} and {total} are replaced',
  ),
});

const modulePayment = z.strictObject({
  provider: z.literal('module'),
  name: id.describe('name under which the provider is registered in the browser'),
  module: z
    .string()
    .min(1)
    .describe('JavaScript file that exports createGateway; relative to the configuration file'),
  label: localizedText.optional(),
  platformProviderType,
  methods: nonEmptyArray(z.enum(PAYMENT_METHODS)).default(['card']),
  hasField: z
    .boolean()
    .default(true)
    .describe('false if the provider has no payment field, only its own payment page'),
  hasHostedCheckout: z.boolean().default(false),
  hasCustomerPortal: z
    .boolean()
    .default(false)
    .describe('true if the gateway implements getPortalUrl'),
  hasWallets: z
    .boolean()
    .default(false)
    .describe('true if the module in the browser has mountWallets; requires the method wallet'),
  isTest: z.boolean().default(false).describe('true if the gateway moves no money'),
  options: z
    .record(z.string(), z.string())
    .default({})
    .describe('public options for the payment field in the browser'),
  secrets: z
    .record(z.string(), secret)
    .default({})
    .describe('secrets, by the names that createGateway receives'),
});

const payment = z.discriminatedUnion(
  'provider',
  [stripePayment, paypalPayment, offlinePayment, modulePayment],
  {
    error: ({ input }) =>
      `found ${(input as { provider?: unknown } | undefined)?.provider === undefined ? 'nothing' : JSON.stringify((input as { provider: unknown }).provider)}, expected stripe, paypal, offline, or module (a custom provider)`,
  },
);
export type PaymentConfiguration = z.infer<typeof payment>;

const eventPath = z
  .string()
  .regex(/^[^.\s]+(\.[^.\s]+)*$/, 'expected a dot-separated path such as event.type');

const inboundWebhook = z.strictObject({
  source: z.enum(['fundraising', 'donation-v1']).describe('platform that sends the webhooks'),
  secret: secret.describe(
    'last segment of the URL /platform-webhooks/<organization ID>/<secret>; at least 128 random bits',
  ),
  kindPath: eventPath
    .optional()
    .describe(
      'path to the event type (name or value) in the payload; if absent, the type is unknown',
    ),
  idPath: eventPath
    .optional()
    .describe(
      'path to the event ID (not the gift ID) in the payload; if absent, identical payloads count as one event',
    ),
  hook: z
    .string()
    .min(1)
    .optional()
    .describe('JavaScript file that exports onPlatformEvent; relative to the configuration file'),
});
export type InboundWebhookConfiguration = z.infer<typeof inboundWebhook>;

const outboundWebhook = z.strictObject({
  url: serviceUrl.describe('URL that receives the messages'),
  secret: secret.describe('signing secret: whsec_ followed by 24 to 64 random bytes in base64'),
  previousSecret: secret
    .optional()
    .describe('previous signing secret, also used while a rotation is in progress'),
  events: requireUnique(nonEmptyArray(z.enum(OUTBOUND_WEBHOOK_EVENTS)), 'event', (event) => event)
    .optional()
    .describe('events to send; if absent, all'),
});
export type OutboundWebhookConfiguration = z.infer<typeof outboundWebhook>;

const timeZone = z
  .string()
  .refine(isTimeZone, 'expected an IANA time zone, such as Europe/Berlin')
  .default('UTC')
  .describe('IANA time zone for the days in reports and exports');

const day = z.iso.date('expected a date such as 2026-11-01');

const goal = z.strictObject({
  id,
  name: localizedText,
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'expected an uppercase ISO 4217 code, such as USD')
    .describe('only donations in this currency count'),
  target: amount,
  from: day.describe('first day on which donations count'),
  to: day.optional().describe('last day on which donations count; if absent, the goal has no end'),
  projects: nonEmptyArray(lineSchema(MAX_CODE_LENGTH).min(1))
    .optional()
    .describe('codes or IDs of the projects that count; if absent, all'),
  segments: nonEmptyArray(lineSchema(MAX_CODE_LENGTH).min(1))
    .optional()
    .describe('segments that count; if absent, all donations count, with or without a segment'),
  offlineAmount: amount.default('0').describe('amount raised outside the form, added to the total'),
});
export type GoalConfiguration = z.infer<typeof goal>;

const organization = z.strictObject({
  id,
  name: z.string().min(1),
  contact: z.email(),
  receiptSender: z
    .enum(['platform', 'processor', 'none'])
    .default('none')
    .describe('sender of the receipt'),
  origins: nonEmptyArray(origin).describe('origins of the pages that may embed the forms'),
  payments: requireUnique(nonEmptyArray(payment), 'provider', (entry) =>
    entry.provider === 'module' ? entry.name : entry.provider,
  ).describe('payment providers; the first is the default'),
  platform: z.discriminatedUnion('adapter', [
    z.strictObject({ adapter: z.literal('sandbox'), baseUrl: serviceUrl, apiKey: secret }),
    httpPlatform,
    z.strictObject({
      adapter: z
        .literal('none')
        .describe('no platform: the local database is the system of record'),
    }),
  ]),
  apiCallsPerHour: z
    .int()
    .min(1)
    .optional()
    .describe(
      "maximum platform API calls per hour across all servers; if absent, the platform's own limit, assumed to be 1,500 until it is known",
    ),
  inboundWebhooks: requireUnique(z.array(inboundWebhook), 'source', ({ source }) => source)
    .default([])
    .describe('inbound webhooks: unsigned events that fundraising platforms send'),
  webhooks: requireUnique(z.array(outboundWebhook), 'url', ({ url }) =>
    URL.canParse(url) ? new URL(url).href : url,
  )
    .default([])
    .describe(
      'outbound webhooks: endpoints on your own server that receive donation events as Standard Webhooks',
    ),
  timeZone,
  retention: z
    .strictObject({ donorDataDays: z.int().min(1).max(36_500) })
    .optional()
    .describe(
      'number of days after which the donor data of a recorded donation is deleted; if absent, it is not deleted',
    ),
  forms: nonEmptyArray(form),
  goals: z.array(goal).default([]).describe('fundraising goals for <donation-goal>'),
});

/**
 * Schema of `donation-form.config.json`. The first of several forms, currencies, frequencies,
 * projects, and payments is the default. In a gift array, `isDefault` decides.
 */
export const configuration = z.strictObject({
  $schema: z.string().optional(),
  listen: z.strictObject({
    host: z.string().min(1),
    port: z.int().min(0).max(65_535),
    trustedProxies: z
      .int()
      .min(0)
      .max(10)
      .default(0)
      .describe(
        'number of your own proxies in front of the server that append the client address to X-Forwarded-For',
      ),
  }),
  admin: z
    .strictObject({
      host: z.string().min(1).default('127.0.0.1'),
      port: z.int().min(1).max(65_535),
      key: secret.optional(),
    })
    .optional()
    .describe(
      'admin listener; by default, only this machine can reach it; without a key, it shows no donor data and allows no changes',
    ),
  database: z.string().min(1).describe('SQLite file; relative to the configuration file'),
  backgroundJobs: z
    .boolean()
    .optional()
    .describe(
      'true if servers run background jobs; if false, schedule donation-form jobs run every minute. Default: true, but false on AWS Lambda, Azure Functions, Cloud Run, Knative, Netlify, and Vercel',
    ),
  organizations: requireUnique(nonEmptyArray(organization), 'id', (entry) => entry.id),
});
/** Validated contents of `donation-form.config.json`. */
export type Configuration = z.infer<typeof configuration>;
export type OrganizationConfiguration = Configuration['organizations'][number];
export type FormConfiguration = OrganizationConfiguration['forms'][number];
