import { z } from 'zod';
import {
  CUSTOM_VALUE_LENGTH,
  CustomFieldDataFormatter,
  CustomFieldDataType,
  MOST_CUSTOM_FIELDS,
  fits,
} from '../donor/custom-field.ts';
import {
  CODE_LENGTH,
  CONSENT_LENGTH,
  DONOR_FIELDS,
  MOST_CONSENTS,
  MOST_PARTS,
} from '../donor/donor.ts';
import { GIFT_FREQUENCIES } from '../donation/frequency.ts';
import { LANGUAGES } from '../i18n/language.ts';
import { isServiceUrl } from '../url/service-url.ts';
import { listOf } from './form-definition.ts';
import { amountExpectation, originExpectation, percentExpectation } from './configuration-hints.ts';
import { SITE_EVENTS } from './webhook-event.ts';
import { line, text } from './text.ts';

function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Z]/.test(name);
  } catch {
    return false;
  }
}

/** A list whose entries are told apart by something that no two share. */
const distinct = <Entries extends z.ZodType<readonly unknown[]>>(
  list: Entries,
  by: string,
  nameOf: (entry: z.output<Entries>[number]) => string,
) =>
  list.refine((entries) => new Set(entries.map(nameOf)).size === entries.length, {
    error: ({ input }) => {
      const names = (input as z.output<Entries>).map(nameOf);
      const second = names.findIndex((name, index) => names.indexOf(name) < index);
      return `expected each ${by} once, and entry ${second} has that of entry ${names.indexOf(names[second]!)}`;
    },
  });

/** Values by names, of which none must be there and no other may. */
const byName = <Name extends string, Value extends z.ZodType>(
  names: readonly Name[],
  value: Value,
) =>
  z.partialRecord(z.enum(names), value, {
    error: (issue: z.core.$ZodRawIssue) =>
      issue.code === 'unrecognized_keys'
        ? `found ${issue.keys.join(', ')}, expected ${names.join(', ')}`
        : undefined,
  });

const wordsOf = (one: z.ZodString) =>
  z.union(
    [
      one,
      byName(LANGUAGES, one).refine(
        (given) => Object.keys(given).length > 0,
        'expected words in at least one language',
      ),
    ],
    'expected a text that is not empty, or texts by language such as { "en": "Wells", "de": "Brunnen" }',
  );
/** What donors read: one text for every language, or one for each. */
const words = wordsOf(z.string().min(1));
export type Words = z.infer<typeof words>;

const id = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'expected small letters, digits and hyphens, 40 at most');
/** What is expected in the place of a text, where that depends on what was written. */
const inPlaceOf = (expectation: (text: string) => string) => ({
  error: ({ input }: z.core.$ZodRawIssue) => expectation(String(input)),
});

const amount = z.string().regex(/^\d+(\.\d+)?$/, inPlaceOf(amountExpectation));
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
    'the environment variable or the file that holds the secret; the secret itself never stands here',
  );
export type SecretName = z.infer<typeof secret>;

const serviceUrl = z
  .string()
  .refine(
    isServiceUrl,
    'expected an https:// address (http:// only for this machine), without a user name, query or fragment',
  );

const origin = z
  .string()
  .refine(
    (text) => URL.canParse(text) && new URL(text).origin === text && /^https?:/.test(text),
    inPlaceOf(originExpectation),
  );

const MOST_PERCENT = 50;
const notThatPercent = inPlaceOf((text) => percentExpectation(text, MOST_PERCENT));
const percent = z
  .string()
  .regex(/^\d{1,2}(\.\d{1,2})?$/, { ...notThatPercent, abort: true })
  .refine((text) => Number(text) <= MOST_PERCENT, notThatPercent);

const giftArray = z
  .array(
    z.strictObject({
      value: amount,
      description: words.optional(),
      displayValue: words.optional(),
      isDefault: z.boolean().optional(),
    }),
  )
  .max(12);

const currency = z.strictObject({
  code: z.string().regex(/^[A-Z]{3}$/, 'expected an ISO 4217 code in capitals, such as USD'),
  minimum: amount,
  maximum: amount,
  giftArray,
  giftArrays: byName(GIFT_FREQUENCIES, giftArray)
    .default({})
    .describe('lists of single frequencies, which take the place of giftArray there'),
  costs: z.strictObject({ percent, fixed: amount }).optional(),
});

const project = z.strictObject({
  id: line(CODE_LENGTH).min(1),
  code: line(CODE_LENGTH).min(1).optional(),
  name: words,
  goal: z
    .strictObject({ raised: amount, target: amount })
    .optional()
    .describe('in the first currency'),
});

/** The id of something that is a control of the form, in whose name it stands. */
const controlId = line(CODE_LENGTH).regex(/^[^\s"']+$/, 'expected an id without spaces and quotes');

const consent = z.strictObject({
  id: controlId,
  words: wordsOf(text(CONSENT_LENGTH).min(1)),
  required: z.boolean().default(false),
});

type DataType = keyof typeof CustomFieldDataType;
type Formatter = keyof typeof CustomFieldDataFormatter;
const dataTypes = Object.keys(CustomFieldDataType) as DataType[];
const formatters = Object.keys(CustomFieldDataFormatter) as Formatter[];

const value = line(CUSTOM_VALUE_LENGTH).min(1);
const option = z.union(
  [
    value.transform((given) => ({ value: given, label: given as Words })),
    z.strictObject({ value, label: words }),
  ],
  'expected a text, or { "value": …, "label": … }',
);

const customField = z
  .strictObject({
    id: controlId,
    type: z.enum(dataTypes),
    label: words.optional().describe('absent: the field is not shown; the page may preset it'),
    hint: words.optional(),
    required: z.boolean().default(false),
    formatter: z.enum(formatters).default('None'),
    options: distinct(z.array(option).min(1), 'value, in whatever case,', (given) =>
      given.value.toLowerCase(),
    ).optional(),
  })
  .superRefine(({ type, label, hint, required, formatter, options }, context) => {
    const expect = (isRight: boolean, name: string, message: string, input?: unknown): void => {
      if (!isRight) context.addIssue({ code: 'custom', path: [name], message, input });
    };
    expect(
      (type === 'List' || type === 'Multiselect') === (options !== undefined),
      'options',
      'expected options with a List or a Multiselect, and with nothing else',
    );
    expect(
      type !== 'Multiselect' || !options?.some((given) => given.value.includes(',')),
      'options',
      'expected values without commas, which stand between the chosen values of a Multiselect',
    );
    expect(
      fits(CustomFieldDataType[type], CustomFieldDataFormatter[formatter]),
      'formatter',
      `expected one that fits a ${type}: ${formatters.filter((name) => fits(CustomFieldDataType[type], CustomFieldDataFormatter[name])).join(', ')}`,
      formatter,
    );
    expect(
      label !== undefined || (hint === undefined && !required),
      'label',
      'expected a label, since a field without one is not shown: it has no hint and cannot be required',
    );
  });

const form = z
  .strictObject({
    id,
    currencies: distinct(listOf(currency), 'currency', ({ code }) => code),
    frequencies: distinct(listOf(z.enum(GIFT_FREQUENCIES)), 'frequency', (frequency) => frequency),
    monthlyUpsell: z.boolean().default(false),
    projects: distinct(listOf(project), 'id', (entry) => entry.id).refine(
      (projects) => projects.length <= MOST_PARTS,
      `expected ${MOST_PARTS} projects at most`,
    ),
    allowSplit: z.boolean().default(false),
    allowTribute: z.boolean().default(false),
    donorFields: byName(DONOR_FIELDS, z.enum(['required', 'optional'])),
    allowOrganizations: z.boolean().default(false),
    allowAnonymous: z.boolean().default(false),
    allowComment: z.boolean().default(false),
    allowCustomAmount: z.boolean().default(true),
    consents: distinct(z.array(consent).max(MOST_CONSENTS), 'id', (entry) => entry.id).default([]),
    customFields: distinct(
      z.array(customField).max(MOST_CUSTOM_FIELDS),
      'id',
      (entry) => entry.id,
    ).default([]),
    allowUnlistedCustomFields: z.boolean().default(false),
    texts: byName(LANGUAGES, z.record(z.string(), z.string().min(1).max(500)))
      .default({})
      .describe("own words for texts of the form: by language, then by the text's name"),
  })
  .superRefine(({ currencies, frequencies, monthlyUpsell }, context) => {
    if (monthlyUpsell && !(frequencies.includes('once') && frequencies.includes('monthly')))
      context.addIssue({
        code: 'custom',
        path: ['monthlyUpsell'],
        message: 'expected true only where frequencies have once and monthly',
        input: true,
      });
    currencies.forEach(({ giftArrays }, index) => {
      for (const frequency of GIFT_FREQUENCIES) {
        if (giftArrays[frequency] && !frequencies.includes(frequency))
          context.addIssue({
            code: 'custom',
            path: ['currencies', index, 'giftArrays', frequency],
            message: `expected only frequencies that the form offers: ${frequencies.join(', ')}`,
            input: frequency,
          });
      }
    });
  });

const path = z
  .string()
  .regex(/^\/[^/\s#][^\s#]*$/, 'expected a path below the base address, such as /api/gift');
const idPath = z
  .string()
  .regex(/^[\w-]+(\.[\w-]+)*$/, 'expected the names that lead to the id, such as items.0.id');

const itemsPath = z
  .string()
  .regex(/^[\w-]+(\.[\w-]+)*$/, 'expected names such as items or gift.id');

/**
 * Recording by a call that the operator knows. In path and body `{reference}`, `{total}`,
 * `{donor.email}` and the like are filled in.
 */
const httpRecorder = z.strictObject({
  kind: z.literal('http'),
  baseUrl: serviceUrl,
  apiKey: secret,
  record: z.strictObject({
    path,
    body: z.record(z.string(), z.json()),
    idPath: idPath.describe("where the gift's id stands in the answer, a whole number"),
  }),
  find: z
    .strictObject({
      path: path.refine((text) => text.includes('{reference}'), 'expected {reference} in it'),
      idPath,
    })
    .optional()
    .describe(
      'a look-up by our reference, which answers 200 whether it finds the gift or not; without one, a gift whose recording may have happened is held for a person',
    ),
  update: z
    .strictObject({
      method: z.enum(['POST', 'PUT', 'PATCH']),
      path,
      body: z.record(z.string(), z.json()),
    })
    .optional()
    .describe(
      'a call that tells what became of a gift: refunds, disputes, failed and ended recurring gifts; without one, they are listed for entry by hand',
    ),
  list: z
    .strictObject({
      path: path.refine(
        (text) => text.includes('{skip}') && text.includes('{take}'),
        'expected {skip} and {take} in it',
      ),
      itemsPath,
      referencePath: itemsPath,
      idPath,
      amountPath: itemsPath.optional().describe('major units'),
    })
    .optional()
    .describe(
      'a call that lists the gifts that were added in a time, in pages: what donation-form reconcile compares; without one, gifts are looked up one by one',
    ),
});
export type HttpRecorderConfiguration = z.infer<typeof httpRecorder>;

const platformProviderType = z
  .enum(['PlatformPayments', 'ThirdPartyProcessorA', 'ThirdPartyProcessorB'])
  .optional()
  .describe(
    "what the fundraising platform calls this processor: Fundraising Platform API, 'Enumerations', PaymentProviderType. Absent: it is not told",
  );

const sandboxPayment = z.strictObject({
  provider: z.literal('sandbox'),
  label: words.optional(),
  platformProviderType,
  baseUrl: serviceUrl,
  publicKey: z.string().min(1),
  secretKey: secret,
  webhookSecret: secret.optional(),
  methods: distinct(listOf(z.enum(['card', 'bank'])), 'method', (method) => method).default([
    'card',
  ]),
});

/** Stripe's names of what the form can take: all can be paid on the page, and renew. */
const STRIPE_METHODS = [
  'card',
  'link',
  'us_bank_account',
  'sepa_debit',
  'bacs_debit',
  'au_becs_debit',
  'acss_debit',
  'ideal',
  'bancontact',
] as const;

const stripePayment = z.strictObject({
  provider: z.literal('stripe'),
  label: words.optional(),
  platformProviderType,
  publicKey: z
    .string()
    .regex(
      /^pk_(test|live)_\w+$/,
      'expected the publishable key, which begins with pk_test_ or pk_live_',
    ),
  secretKey: secret,
  webhookSecret: secret
    .optional()
    .describe(
      'the signing secret of the webhook endpoint /webhooks/stripe/<organization id>; without it, renewals, refunds and disputes are not heard of',
    ),
  methods: distinct(listOf(z.enum(STRIPE_METHODS)), 'method', (method) => method).default(['card']),
  baseUrl: serviceUrl.optional().describe("where the API is, if not at Stripe's own address"),
});

const offlinePayment = z.strictObject({
  provider: z.literal('offline'),
  label: words.describe('what donors choose it by, such as "Bank transfer or cheque"'),
  about: words.describe('what donors read before they give'),
  instructions: words.describe(
    'what they read afterwards: where to send the money; {reference} and {total} are filled in',
  ),
});

const modulePayment = z.strictObject({
  provider: z.literal('module'),
  name: id.describe('what the provider is registered by in the browser'),
  module: z
    .string()
    .min(1)
    .describe(
      'the JavaScript file whose createGateway makes the gateway; relative to the configuration file',
    ),
  label: words.optional(),
  platformProviderType,
  methods: listOf(z.enum(['card', 'bank', 'wallet'])).default(['card']),
  hasHostedCheckout: z.boolean().default(false),
  hasCustomerPortal: z.boolean().default(false).describe('the gateway has a portalUrl'),
  isTest: z.boolean().default(false).describe('no money moves'),
  options: z
    .record(z.string(), z.string())
    .default({})
    .describe('the public part: what the field in the browser gets'),
  secrets: z
    .record(z.string(), secret)
    .default({})
    .describe('by the names under which createGateway gets them'),
});

const payment = z.discriminatedUnion(
  'provider',
  [sandboxPayment, stripePayment, offlinePayment, modulePayment],
  {
    error: ({ input }) =>
      `found ${(input as { provider?: unknown } | undefined)?.provider === undefined ? 'nothing' : JSON.stringify((input as { provider: unknown }).provider)}, expected sandbox, stripe, offline, or module for one of your own`,
  },
);
export type PaymentConfiguration = z.infer<typeof payment>;

const place = z
  .string()
  .regex(/^[^.\s]+(\.[^.\s]+)*$/, 'expected the names that lead there, such as event.type');

const platformWebhook = z.strictObject({
  source: z
    .enum(['fundraising', 'donation-v1'])
    .describe('whose webhooks these are: each platform has events of its own'),
  secret: secret.describe(
    'the last part of the address /platform-webhooks/<organization id>/<secret>: 128 random bits or more',
  ),
  kindPath: place
    .optional()
    .describe(
      "where the event's type stands in the payload, by name or value; absent: it is not known",
    ),
  idPath: place
    .optional()
    .describe(
      'where the id of the event stands, not that of the gift; absent: the same payload is the same event',
    ),
  hook: z
    .string()
    .min(1)
    .optional()
    .describe(
      'the JavaScript file whose onPlatformEvent is called; relative to the configuration file',
    ),
});
export type PlatformWebhookConfiguration = z.infer<typeof platformWebhook>;

const siteWebhook = z.strictObject({
  url: serviceUrl.describe('where the messages are sent to'),
  secret: secret.describe('what they are signed with: whsec_ and 24 to 64 random bytes in base64'),
  previousSecret: secret
    .optional()
    .describe('while the secret is changed: the one before, with which they are signed too'),
  events: distinct(listOf(z.enum(SITE_EVENTS)), 'event', (event) => event)
    .optional()
    .describe('which are told; absent: all'),
});
export type SiteWebhookConfiguration = z.infer<typeof siteWebhook>;

const timeZone = z
  .string()
  .refine(isTimeZone, 'expected a time zone of the IANA list, such as Europe/Berlin')
  .default('UTC')
  .describe('whose days reports and exports go by');

const day = z.iso.date('expected a day such as 2026-11-01');

const goal = z.strictObject({
  id,
  name: words,
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'expected an ISO 4217 code in capitals, such as USD')
    .describe('gifts in others do not count'),
  target: amount,
  from: day.describe('the first day on which gifts count'),
  to: day.optional().describe('the last; absent: there is none'),
  projects: listOf(line(CODE_LENGTH).min(1))
    .optional()
    .describe('the codes or ids of the projects that count; absent: all'),
  segments: listOf(line(CODE_LENGTH).min(1))
    .optional()
    .describe('the segments that count; absent: all, and gifts without one'),
  elsewhere: amount.default('0').describe('what came in by other ways, and is added'),
});
export type GoalConfiguration = z.infer<typeof goal>;

const organization = z.strictObject({
  id,
  name: z.string().min(1),
  contact: z.email(),
  receipts: z
    .enum(['platform', 'processor', 'none'])
    .default('none')
    .describe('who sends the receipt'),
  origins: listOf(origin).describe('the pages that may show the forms'),
  payments: distinct(listOf(payment), 'provider', (entry) =>
    entry.provider === 'module' ? entry.name : entry.provider,
  ).describe('the ways to pay'),
  recorder: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('sandbox'), baseUrl: serviceUrl, apiKey: secret }),
    httpRecorder,
    z.strictObject({
      kind: z.literal('export').describe('no platform: the journal is the record'),
    }),
  ]),
  budget: z
    .int()
    .min(1)
    .optional()
    .describe(
      'calls an hour to the platform, of all servers together; absent: what the platform says, 1,500 until then',
    ),
  platformWebhooks: distinct(z.array(platformWebhook), 'source', ({ source }) => source)
    .default([])
    .describe('what the platforms tell, which they do not sign'),
  webhooks: distinct(z.array(siteWebhook), 'url', ({ url }) =>
    URL.canParse(url) ? new URL(url).href : url,
  )
    .default([])
    .describe(
      "addresses of the site's own server that are told what happens to gifts, in the form of Standard Webhooks",
    ),
  timeZone,
  retention: z
    .strictObject({ donorDataDays: z.int().min(1).max(36_500) })
    .optional()
    .describe(
      'so many days after a gift was recorded, what names its donor is deleted; absent: it is kept',
    ),
  forms: listOf(form),
  goals: z.array(goal).default([]).describe('what <donation-goal> shows'),
});

/**
 * `donation-form.config.json`: everything that an operator decides. In each list the first entry is
 * the default.
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
        'how many proxies of yours stand before it, each of which adds to X-Forwarded-For who connected to it',
      ),
  }),
  operator: z
    .strictObject({
      host: z.string().min(1).default('127.0.0.1'),
      port: z.int().min(1).max(65_535),
      key: secret.optional(),
    })
    .optional()
    .describe(
      "the operator's own listener. Without a host only this machine reaches it; without a key nothing that names donors can be asked of it",
    ),
  store: z.string().min(1).describe('the SQLite file; relative to the configuration file'),
  process: z
    .enum(['stays', 'ends'])
    .default('stays')
    .describe('whether the process stays alive between requests, or is stopped or frozen'),
  drain: z
    .literal('scheduled')
    .optional()
    .describe('donation-form drain runs every minute: needed where no process stays alive'),
  organizations: distinct(listOf(organization), 'id', (entry) => entry.id),
});
/** What `donation-form.config.json` holds, checked. */
export type Configuration = z.infer<typeof configuration>;
export type OrganizationConfiguration = Configuration['organizations'][number];
export type FormConfiguration = OrganizationConfiguration['forms'][number];
