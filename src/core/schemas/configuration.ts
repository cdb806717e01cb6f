import { z } from 'zod';
import { MAX_CODE_LENGTH } from '../donor/donor.ts';
import { isServiceUrl } from '../url/service-url.ts';
import { alerts, webhookTarget } from './alert-configuration.ts';
import { describeExpectedOrigin } from './configuration-hints.ts';
import {
  amount,
  createErrorOptions,
  createExpectation,
  currencyCode,
  giftUrl,
  host,
  id,
  line,
  localizedLine,
  nonEmptyArray,
  requireUnique,
  secret,
  serviceUrl,
} from './configuration-values.ts';
import { form } from './form-configuration.ts';
import { mail } from './mail-configuration.ts';
import { payment } from './payment-configuration.ts';
import { receipts } from './receipt-configuration.ts';
import { lineSchema } from './text.ts';
import { virtuousCrmPlatform, virtuousRaisePlatform } from './virtuous-configuration.ts';
import { OUTBOUND_WEBHOOK_EVENTS } from './webhook-event.ts';

function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Z]/.test(name);
  } catch {
    return false;
  }
}

const origin = z
  .string()
  .refine(
    (text) => URL.canParse(text) && new URL(text).origin === text && /^https?:/.test(text),
    createErrorOptions(describeExpectedOrigin),
  );

const path = z
  .string()
  .regex(/^\/[^/\s#][^\s#]*$/, 'expected a path relative to baseUrl, such as /api/gift');
const idPath = z
  .string()
  .regex(/^[\w-]+(\.[\w-]+)*$/, 'expected a dot-separated path to the ID, such as items.0.id');

const itemsPath = z
  .string()
  .regex(/^[\w-]+(\.[\w-]+)*$/, 'expected a dot-separated path such as items or gift.id');

const callBody = z.record(z.string(), z.json());
const optionalBody = callBody
  .optional()
  .describe('body of the POST request; if absent, the server sends a GET request');

const requirePlaceholders =
  (names: readonly string[]) =>
  (call: { path: string; body?: unknown }, context: z.RefinementCtx): void => {
    const template = call.path + JSON.stringify(call.body ?? '');
    if (names.every((name) => template.includes(`{${name}}`))) return;
    const placeholders = names.map((name) => `{${name}}`).join(' and ');
    context.addIssue({
      code: 'custom',
      path: ['path'],
      message: `expected ${placeholders} in the path or body`,
    });
  };

/** Any HTTP API. Placeholders such as `{donor.email}` in paths and bodies become values. */
const httpPlatform = z.strictObject({
  adapter: z.literal('http'),
  baseUrl: serviceUrl,
  apiKey: secret,
  giftUrl,
  record: z.strictObject({
    path,
    body: callBody,
    idPath: idPath.describe('path to the gift ID in the response, an integer or text'),
    notRecordedStatuses: z
      .array(z.int().min(400).max(599))
      .optional()
      .describe(
        'HTTP statuses that prove that the platform did not record the gift, so the server can ' +
          'send the gift again without a lookup; default: 400, 401, 403, 404, and 422 (429 is ' +
          'always included)',
      ),
  }),
  find: z
    .strictObject({
      path,
      body: optionalBody,
      idPath,
      referencePath: itemsPath
        .optional()
        .describe(
          "path to the donation's reference in the response; a gift with a different reference is an error",
        ),
    })
    .superRefine(requirePlaceholders(['reference']))
    .optional()
    .describe(
      "call that looks up a gift by the donation's reference and must return status 200 even if " +
        'there is no such gift; if absent, a gift that the platform may have recorded requires manual review',
    ),
  findDelaySeconds: z
    .int()
    .min(0)
    .max(86_400)
    .optional()
    .describe(
      'number of seconds before "find" certainly finds a new gift; until then, the server never ' +
        'sends the gift again; default: 20',
    ),
  update: z
    .strictObject({
      method: z.enum(['POST', 'PUT', 'PATCH']),
      path,
      body: callBody,
      partialRefunds: z
        .boolean()
        .optional()
        .describe(
          'false if the platform can refund only whole gifts; the server then lists partial ' +
            'refunds for manual entry; default: true',
        ),
    })
    .optional()
    .describe(
      'call that reports refunds, disputes, and failed or ended recurring donations; if ' +
        'absent, the server lists these for manual entry',
    ),
  list: z
    .strictObject({
      path,
      body: optionalBody,
      itemsPath,
      referencePath: itemsPath,
      idPath,
      amountPath: itemsPath
        .optional()
        .describe('path to the gift amount, which must be in major units'),
    })
    .superRefine(requirePlaceholders(['skip', 'take']))
    .optional()
    .describe(
      'paginated call that lists the gifts added in a period, for "donation-form reconcile"; ' +
        'if absent, the command looks up gifts one at a time',
    ),
});

const checkedHttpPlatform = httpPlatform.refine(
  ({ find, findDelaySeconds }) => find !== undefined || findDelaySeconds === undefined,
  {
    path: ['find'],
    error:
      'expected the call that looks up a gift, such as { "path": "/gifts/{reference}", "idPath": ' +
      '"id" }, because "findDelaySeconds" has no effect without it',
  },
);
export type HttpPlatformConfiguration = z.infer<typeof httpPlatform>;

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
      'path to the event type (name or number) in the payload; if absent, the server does not know the type',
    ),
  idPath: eventPath
    .optional()
    .describe(
      'path to the event ID (not the gift ID) in the payload; if absent, identical payloads count as one event',
    ),
  hook: line
    .optional()
    .describe(
      'path to a JavaScript file that exports onPlatformEvent, relative to the configuration file',
    ),
});
export type InboundWebhookConfiguration = z.infer<typeof inboundWebhook>;

const outboundWebhook = webhookTarget.extend({
  previousSecret: secret
    .optional()
    .describe(
      'previous signing secret; while you rotate secrets, the server signs with both secrets',
    ),
  events: requireUnique(nonEmptyArray(z.enum(OUTBOUND_WEBHOOK_EVENTS)), 'event', (event) => event)
    .optional()
    .describe('types of events to send; if absent, the server sends all types'),
});
export type OutboundWebhookConfiguration = z.infer<typeof outboundWebhook>;

const timeZone = z
  .string()
  .refine(isTimeZone, 'expected an IANA time zone, such as Europe/Berlin')
  .default('UTC')
  .describe('IANA time zone that determines the days in reports and exports');

const day = z.iso.date('expected a date such as 2026-11-01');

const goal = z.strictObject({
  id,
  name: localizedLine,
  currency: currencyCode.describe(
    'currency of the goal; donations in other currencies do not count',
  ),
  target: amount,
  from: day.describe('first day on which donations count toward the goal'),
  to: day
    .optional()
    .describe(
      'last day on which donations count toward the goal; if absent, the goal has no end date',
    ),
  projects: nonEmptyArray(lineSchema(MAX_CODE_LENGTH).min(1))
    .optional()
    .describe(
      'codes or IDs of the projects that count toward the goal; if absent, all projects count',
    ),
  segments: nonEmptyArray(lineSchema(MAX_CODE_LENGTH).min(1))
    .optional()
    .describe(
      'segments that count toward the goal; if absent, all donations count, with or without a segment',
    ),
  offlineAmount: amount
    .default('0')
    .describe('amount raised outside the form, to add to the total'),
});
export type GoalConfiguration = z.infer<typeof goal>;

const organization = z.strictObject({
  id,
  name: line,
  contact: z.email(),
  receiptSender: z
    .enum(['us', 'platform', 'processor', 'none'])
    .default('none')
    .describe('party that sends the receipt to the donor; us is this server, with receipts'),
  mail: mail
    .optional()
    .describe('sends each donor a thank-you message; if absent, the server sends donors no mail'),
  receipts: receipts
    .optional()
    .describe('issues numbered receipts and sends them by mail; expects receiptSender us'),
  origins: nonEmptyArray(origin).describe('origins of the pages that may embed the forms'),
  payments: requireUnique(nonEmptyArray(payment), 'provider', (entry) =>
    'name' in entry ? entry.name : entry.provider,
  ).describe('payment providers; the first is the default'),
  platform: z.discriminatedUnion('adapter', [
    z.strictObject({
      adapter: z.literal('sandbox'),
      baseUrl: serviceUrl,
      apiKey: secret,
      giftUrl,
    }),
    checkedHttpPlatform,
    virtuousCrmPlatform,
    virtuousRaisePlatform,
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
      'maximum number of platform API calls per hour across all servers; default: the limit ' +
        'that the platform reports, or 1,500 until the platform reports a limit',
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
      'number of days after which the server deletes the donor data of a recorded donation; if ' +
        'absent, the server keeps the data',
    ),
  forms: nonEmptyArray(form),
  goals: z.array(goal).default([]).describe('fundraising goals that <donation-goal> can show'),
});

function requireUkTimeZone(
  { forms, timeZone }: z.infer<typeof organization>,
  context: z.RefinementCtx,
): void {
  createExpectation(context)(
    timeZone !== 'UTC' || forms.every(({ giftAid }) => giftAid === false),
    ['timeZone'],
    'expected Europe/London, because a form offers Gift Aid, and claims consist of days in the UK',
  );
}

/**
 * In lists of forms, currencies, frequencies, projects, and payments, the first entry is the
 * default.
 */
export const configuration = z.strictObject({
  $schema: z.string().optional(),
  listen: z.strictObject({
    host,
    port: z.int().min(0).max(65_535),
    trustedProxies: z
      .int()
      .min(0)
      .max(10)
      .default(0)
      .describe(
        "number of your own proxies in front of the server, each of which appends the client's IP address to X-Forwarded-For",
      ),
    maxConcurrentCharges: z
      .int()
      .min(1)
      .max(10_000)
      .default(256)
      .describe(
        'number of concurrent charges per form and server above which donors must solve a proof of work',
      ),
  }),
  admin: z
    .strictObject({
      host: host.default('127.0.0.1'),
      port: z.int().min(1).max(65_535),
      url: origin
        .refine(
          isServiceUrl,
          'expected an https:// URL, or http://localhost with a port, because browsers offer passkeys and secure cookies only there',
        )
        .optional()
        .describe(
          "URL at which the staff open the admin pages, such as https://admin.example.org behind the organization's proxy; default: the listener's URL",
        ),
      key: secret.optional(),
      openIdConnect: z
        .strictObject({
          issuer: serviceUrl.describe(
            'URL of the identity provider, such as https://login.example.org/realms/staff',
          ),
          clientId: z.string().min(1),
          clientSecret: secret,
          name: lineSchema(40).describe('name on the sign-in page, such as Microsoft'),
        })
        .optional()
        .describe(
          "organization's own identity provider, with which the staff can sign in over OpenID Connect",
        ),
    })
    .optional()
    .describe(
      'listener for the admin pages; by default, only this machine can reach the pages; without ' +
        'a key, the pages show no donor data and allow no changes',
    ),
  database: line.describe('path to the SQLite file, relative to the configuration file'),
  backgroundJobs: z
    .boolean()
    .optional()
    .describe(
      'true if the server runs background jobs; if false, schedule the ' +
        '"donation-form jobs run" command to run every minute. Default: false on AWS Lambda, Azure Functions, ' +
        'Cloud Run, Knative, Netlify, and Vercel; true elsewhere',
    ),
  auditLogDays: z
    .int()
    .min(1)
    .max(36_600)
    .default(730)
    .describe('days after which the server deletes entries of the audit log'),
  alerts: alerts
    .optional()
    .describe(
      'recipients of messages about problems that require human attention; if absent, the server sends no messages',
    ),
  organizations: requireUnique(
    nonEmptyArray(organization.superRefine(requireUkTimeZone)),
    'id',
    (entry) => entry.id,
  ),
});
/** Validated contents of `donation-form.config.json`. */
export type Configuration = z.infer<typeof configuration>;
export type OrganizationConfiguration = Configuration['organizations'][number];
export type FormConfiguration = OrganizationConfiguration['forms'][number];
