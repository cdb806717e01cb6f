import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { z } from 'zod';
import { configuration as configurationSchema } from '@donation-form/core/schemas';
import {
  loadConfiguration,
  parseConfiguration,
} from '../../../src/server/config/load-configuration.ts';
import { readSecret } from '../../../src/server/config/read-secrets.ts';
import { createEndpoint } from '../../../src/server/create-endpoint.ts';
import { LOG } from '../test-environment.ts';
import {
  changeForm,
  changeOrganization,
  consent,
  form,
  good,
  list,
  liveStripe,
  offline,
  organization,
  paypal,
  platform,
  stripe,
  usd,
  writeConfiguration,
} from './support.ts';

const field = { id: 'f', type: 'Text' };
const http = {
  ...platform,
  adapter: 'http',
  record: { path: '/gift', body: { reference: '{reference}' }, idPath: 'id' },
};
const platformPayment = { provider: 'platform', name: 'raise' };
const raise = {
  platform: {
    adapter: 'virtuous-raise',
    apiKey: { env: 'K' },
    currency: 'USD',
    body: { comment: '{reference}' },
    referencePath: 'comment',
  },
  payments: [platformPayment],
  forms: [{ ...form, frequencies: ['once'] }],
};
const apiUrl = { apiUrl: 'http://127.0.0.1:4102/stripe' };
const goal = { id: 'wells', name: 'Wells', currency: 'USD', target: '50000', from: '2026-11-01' };
const webhook = { url: 'https://site.example/hook', secret: { env: 'WH' } };
const receipts = {
  template: 'us',
  reviewedBy: 'Maria',
  issuer: { name: 'O, Inc.', address: ['1 Harbor Road'], taxId: '12-3456789' },
  keepYears: 7,
};
const changeTaxId = (template: string, taxId: string | undefined): object => ({
  receiptSender: 'us',
  mail: smtp,
  receipts: { ...receipts, template, issuer: { ...receipts.issuer, taxId } },
});
const giftAid = {
  ...form,
  giftAid: true,
  currencies: [{ ...usd, code: 'GBP' }],
  donorFields: { firstName: 'required', lastName: 'required' },
};
const smtp = { host: 'smtp.example.org', from: 'giving@example.org' };
const inbound = { source: 'fundraising', secret: { env: 'INBOUND' } };
const environment = {
  P: 'secret',
  K: 'key',
  W: 'whsec_1',
  STRIPE: 'sk_test_1',
  SPACE: 'canary with a space',
  EMPTY: '',
  LIVE: 'sk_live_canary',
  LIVE_RESTRICTED: 'rk_live_canary',
  WH: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
  INBOUND: 'canary-71a84e563f9d0c2b-platform',
  DIGITS: '1'.repeat(64),
  LETTERS_21: 'aB3_dE6-hI9lM2oP5rS8u',
  LETTERS_22: 'aB3_dE6-hI9lM2oP5rS8uV',
  HEX_31: 'c0ffee0123456789abcdef012345678',
  HEX_32: 'c0ffee0123456789abcdef0123456789',
  SLASH: 'aB3/dE6-hI9lM2oP5rS8uVxyz',
  REPEATED: 'canary'.repeat(10),
  ED25519: generateKeyPairSync('ed25519')
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()
    .trim(),
  LETTERS_201: 'aB3_dE6-h'.repeat(30).slice(0, 201),
};

const changePayments = (...payments: object[]): object => ({ payments });
const changeStripe = (change: object): object => changePayments({ ...stripe, ...change });
const changePlatform = (change: object): object => ({ platform: { ...platform, ...change } });
const changeGoal = (change: object): object => ({ goals: [{ ...goal, ...change }] });
const changeUsd = (change: object): object => ({ currencies: [{ ...usd, ...change }] });
const changeFees = (change: object): object =>
  changeUsd({ feeCover: { percent: '2.9', fixed: '0.30', ...change } });
const changeProject = (change: object): object => ({
  projects: [{ id: '1', name: 'W', ...change }],
});
const changeField = (change: object): object => ({ customFields: [change] });

type Rows = readonly (readonly [change: unknown, problem: string])[];

/** Invalid configurations with the path and the problem; an ellipsis stands for any text. */
const INVALID_CONFIGURATIONS: Rows = [
  [7, 'the top level: found 7; expected an object'],
  [{ ...good, database: undefined }, 'database: found nothing; expected a string'],
  [
    { ...good, databases: 'x' },
    'the top level: found the unknown field "databases"…Did you mean "database"? Valid ' +
      'fields are $schema, …, auditLogDays, alerts, and organizations',
  ],
  [
    { ...good, organizations: [] },
    'organizations: found an empty list; expected at least one entry',
  ],
  [
    { ...good, organizations: organization },
    'organizations: found an object with "id", "name", …, and "platform"; expected a list',
  ],
  [
    { ...good, listen: { host: '127.0.0.1', port: 4101 }, admin: { port: 4101 } },
    'admin.port: found 4101, which is also listen.port; expected another port',
  ],
  [{ ...good, listen: { host: 'x', port: '80' } }, 'listen.port: found "80"; expected a number'],
  [
    { ...good, listen: { host: 'x', port: 70_000 } },
    'listen.port: found 70000; expected at most 65535',
  ],
  [{ ...good, listen: { host: 'x', port: 80.5 } }, 'listen.port: found 80.5; expected an integer'],
  [
    { ...good, listen: { host: '', port: 80 } },
    'listen.host: found an empty string; expected a hostname or IP address',
  ],
  [
    { ...good, admin: { port: 4103, key: { env: 'ABSENT' } } },
    'admin.key: the ABSENT environment variable is not set; expected a key',
  ],
  [
    { ...good, database: '/dev/null/s.sqlite' },
    'database: …cannot open the database (/dev/null/s.sqlite: cannot open the database: ',
  ],
  [
    changeOrganization({ colour: 'red' }),
    'organizations.0: found the unknown field "colour". Valid fields are id, name, contact',
  ],
];

/** Changes of the organization, with paths in it. */
const INVALID_ORGANIZATIONS: Rows = [
  [
    { platform: { adapter: 'virtuous-crm', apiKey: { env: 'K' } } },
    'forms.0.projects.0.code: found nothing…designates gifts by project code. Copy the ' +
      "project's code from Virtuous",
  ],
  [
    { ...raise, payments: [platformPayment, offline] },
    'payments.1.provider: found "offline"; expected only "platform", because virtuous-raise ' +
      'records only its own charges',
  ],
  [
    { ...raise, payments: [stripe] },
    'payments.0.provider: found "stripe"; expected only "platform"…Remove the other payment ' +
      'providers',
  ],
  [
    changePayments(platformPayment),
    'payments.0.provider: found "platform", but the sandbox adapter cannot charge…Choose ' +
      'stripe, paypal, offline, or module',
  ],
  [{ ...raise, forms: [form] }, 'forms.0.frequencies.1: found "monthly"; expected only "once"'],
  [
    { ...raise, platform: { ...raise.platform, currency: 'CAD' } },
    'forms.0.currencies.0.code: found "USD"; expected only CAD',
  ],
  [
    { ...raise, platform: { ...raise.platform, body: {} } },
    "platform.body: found no {reference}…Add {reference} to a field that the platform's " +
      'search covers',
  ],
  [
    changeStripe({ publickey: 'x' }),
    'payments.0: found the unknown field "publickey"…Did you mean "publicKey"?',
  ],
  [
    changeGoal({ to: '2026-10-31' }),
    'goals.0.to: found 2026-10-31; expected 2026-11-01 (the first day) or later',
  ],
  [
    {
      goals: [{ ...goal, to: '2026-10-31' }],
      payments: [{ ...stripe, secretKey: { env: 'MISSING' } }],
    },
    'goals.0.to: found 2026-10-31; expected 2026-11-01 (the first day) or later',
  ],
  [
    changeGoal({ from: '2026-02-30' }),
    'goals.0.from: found "2026-02-30"; expected a date such as 2026-11-01',
  ],
  [
    changeGoal({ projects: ['2'] }),
    'goals.0.projects.0: found "2"; expected the code or ID of a project that a form offers',
  ],
  [changeGoal({ target: '0' }), 'goals.0.target: found "0"; expected more than 0'],
  [
    changeGoal({ currency: 'USX' }),
    'goals.0.currency: found "USX"; expected an active ISO 4217 currency',
  ],
  [
    { goals: [goal, goal] },
    'goals.1.id: found the ID "wells" at organizations.0.goals.0.id and ' +
      'organizations.0.goals.1.id; expected an ID that is unique across',
  ],
  [changePayments(), 'payments: found an empty list; expected at least one entry'],
  [
    changeStripe({ secretKey: 'canary-secret' }),
    'payments.0.secretKey: found a string of 13 characters (hidden because it may be a secret); ' +
      'expected { "env": "NAME" } or { "file"',
  ],
  [
    changePlatform({ apiKey: 'canary-secret' }),
    'platform.apiKey: found a string of 13 characters…expected { "env": "NAME" }',
  ],
  [
    changeStripe({ secretKey: { env: 'canary_key' } }),
    'payments.0.secretKey.env: found a string of 10 characters…expected an environment ' +
      'variable name',
  ],
  [
    { origins: ['www.riverbank-trust.example/give'] },
    'origins.0: found "www.riverbank-trust.example/give"; expected ' +
      'https://www.riverbank-trust.example, with https:// and without a path',
  ],
  [
    { name: 7, contact: 'sk_live_canary' },
    'contact: found a string of 14 characters (hidden because it may be a secret…expected an email ' +
      'address',
  ],
  [
    { origins: ['https://o.example/give'] },
    'origins.0: found "https://o.example/give"; expected https://o.example, without a path, query, ' +
      'or fragment',
  ],
  [{ contact: 'o.example' }, 'contact: found "o.example"; expected an email address'],
  [
    changePlatform({ baseUrl: 'http://platform.example' }),
    'platform.baseUrl: found a string of 23 characters…expected an https:// URL',
  ],
  [
    changePlatform({ baseUrl: 'https://user:pw@platform.example' }),
    'platform.baseUrl: found …; expected an https',
  ],
  [
    { platform: { ...http, findDelaySeconds: 60 } },
    'platform.find: found nothing; expected the call that looks up a gift, such as { "path": … }, ' +
      'because "findDelaySeconds" has no effect without it',
  ],
  [
    changePlatform({ adapter: 'magic' }),
    'platform.adapter: found "magic"; expected one of sandbox, http, ',
  ],
  [
    changePayments({ provider: 'giropay' }),
    'payments.0.provider: found "giropay"; expected stripe, paypal, offline',
  ],
  [
    { forms: [form, form] },
    'forms.1.id: found the ID "main" at organizations.0.forms.0.id and ' +
      'organizations.0.forms.1.id; expected an ID that is unique across',
  ],
  [
    changeStripe({ webhookSecret: undefined }),
    'payments.0.webhookSecret: found nothing; expected a signing secret. The main form ' +
      'offers recurring donations',
  ],
  [
    changePayments({ ...paypal, webhookId: undefined }),
    'payments.0.webhookId: found nothing; expected the ID of a webhook. The main form offers ' +
      'recurring donations',
  ],
  [
    {
      payments: [paypal],
      forms: [{ ...form, currencies: [{ ...usd, code: 'INR' }] }],
    },
    'payments.0: PayPal does not support INR, which the main form offers…Remove the currency ' +
      'from that form',
  ],
  [
    changePayments({ ...stripe, methods: ['card', 'paypal'] }, paypal),
    'payments.1: found PayPal here and in payments.0.methods (stripe); expected PayPal only once',
  ],
  [
    changePayments({ ...paypal, ...apiUrl, environment: 'live' }),
    'payments.0.apiUrl: found "http://127.0.0.1:4102/stripe" in the live environment; ' +
      'expected it only in the sandbox environment',
  ],
  [
    changeStripe({ secretKey: { env: 'LIVE' } }),
    'payments.0.secretKey: found a key of another type or mode; expected one that starts ' +
      'with sk_test_ or rk_test_',
  ],
  [
    changeStripe({ ...apiUrl, publicKey: 'pk_live_1' }),
    'payments.0.apiUrl: found "http://127.0.0.1:4102/stripe" and a live key; expected only ' +
      'test keys, because …. Remove apiUrl, or use keys that start with pk_test_',
  ],
  [
    changeStripe({ ...apiUrl, secretKey: { env: 'LIVE' } }),
    'payments.0.apiUrl: found …and a live key; expected only test keys',
  ],
  [
    changeStripe({
      scriptUrl: 'http://127.0.0.1:4102/stripe.js',
      secretKey: { env: 'LIVE_RESTRICTED' },
    }),
    'payments.0.scriptUrl: found "http://127.0.0.1:4102/stripe.js" and a live key; expected ' +
      'only test keys, because …. Remove scriptUrl, or',
  ],
  [
    changePayments(liveStripe, paypal),
    'payments: found stripe in live mode and paypal in test mode; expected all payment ' +
      'providers in the same mode, because a form is either live or in test mode',
  ],
  [changePayments(stripe, stripe), 'payments: found …; expected each provider only once'],
  [
    changeStripe({ methods: ['sepa_debit'] }),
    'payments.0.methods: found sepa_debit; expected at least one method that supports USD',
  ],
  [
    changePayments({ ...offline, instructions: 'Send it.' }),
    'payments.0.instructions: found text without {reference}; expected {reference} in each',
  ],
  [
    changePayments({ ...offline, instructions: 'Send {Total}, {reference}.' }),
    'payments.0.instructions: found {Total}',
  ],
  [
    changePlatform({ apiKey: { env: 'ABSENT' } }),
    'platform.apiKey: the ABSENT environment variable is not set; expected a key. Set the ' +
      'variable before you start the server',
  ],
  [
    changePlatform({ apiKey: { env: 'EMPTY' } }),
    'platform.apiKey: the EMPTY environment variable is empty; expected a key',
  ],
  [
    changePlatform({ apiKey: { env: 'SPACE' } }),
    'platform.apiKey: found a space, … in the SPACE environment variable; expected only the key',
  ],
  [
    { webhooks: [{ ...webhook, url: 'http://site.example/hook' }] },
    'webhooks.0.url: found a string of 24 characters…expected an https:// URL',
  ],
  [
    {
      webhooks: [webhook, { ...webhook, url: 'https://SITE.example:443/hook' }],
    },
    'webhooks: found a list of length 2; expected each url only once, but entries 0 and 1 ' +
      'have the same url',
  ],
  [
    { webhooks: [{ ...webhook, events: ['gift.made'] }] },
    'webhooks.0.events.0: found "gift.made"; expected one of donation.succeeded, ' +
      'donation.processing, ',
  ],
  [
    { webhooks: [{ ...webhook, previousSecret: { env: 'W' } }] },
    'webhooks.0.previousSecret: found 7 characters that are not a webhook signing secret; ' +
      'expected whsec_ followed by 24 to 64 random bytes in base64. Generate one with: echo',
  ],
  [
    { mail: { ...smtp, user: 'giving' } },
    'mail.password: found nothing; expected the password for the SMTP server, such as ' +
      '{ "env": "SMTP_PASSWORD" }, because user is set',
  ],
  [
    { mail: { ...smtp, password: { env: 'W' } } },
    'mail.user: found nothing; expected the username for the SMTP server, such as "give@example.org"',
  ],
  [
    { mail: { host: 'smtp.example.org' } },
    'mail.from: found nothing; expected an email address such as give@example.org',
  ],
  ...[
    'smtp://x',
    'smtp.example.org:587',
    'smtp.example.org/',
    'give@smtp.example.org',
    'smtp example',
    '192.0.2.256',
    '2001:db8::g',
    '',
  ].map(
    (host) =>
      [
        { mail: { ...smtp, host } },
        'mail.host: found …; expected a hostname or IP address without a protocol and port, such as',
      ] as const,
  ),
  ...[0, 65_536].map(
    (port) => [{ mail: { ...smtp, port } }, `mail.port: found ${port}; expected at `] as const,
  ),
  [
    { mail: { ...smtp, color: 'green' } },
    'mail.color: found "green"; expected a color such as #0a6e5c',
  ],
  [
    { mail: { ...smtp, subject: { de: 'Danke\nBcc: o@o.example' } } },
    'mail.subject.de: found "Danke\\nBcc: o@o.example"; expected a single line without',
  ],
  [
    { mail: { ...smtp, logo: 'none.png' } },
    'mail.logo: cannot read …none.png (no such file). Save the picture there',
  ],
  [
    { mail: { ...smtp, dkim: { selector: 'a b', privateKey: { env: 'WH' } } } },
    'mail.dkim.selector: found "a b"; expected a DKIM selector, such as donations',
  ],
  [
    { mail: { ...smtp, dkim: { selector: 'donations', privateKey: { env: 'WH' } } } },
    'mail.dkim.privateKey: expected an RSA private key of at least 1024 bits in PEM',
  ],
  [
    { mail: { ...smtp, dkim: { selector: 'donations', privateKey: { env: 'ED25519' } } } },
    'mail.dkim.privateKey: expected an RSA private key of at least 1024 bits in PEM',
  ],
  [
    { receiptSender: 'us', mail: smtp },
    'receipts: found nothing, but receiptSender is "us"; expected the settings of receipts. Add',
  ],
  [
    { receiptSender: 'platform', mail: smtp, receipts },
    'receiptSender: found "platform" and receipts, so donors would get two receipts or none;',
  ],
  [
    { receiptSender: 'us', receipts },
    'mail: found nothing, but the server sends receipts by mail; expected the settings of mail.',
  ],
  [
    { receiptSender: 'us', mail: smtp, receipts: { ...receipts, series: 'TEST' } },
    'receipts.series: found "TEST"; expected another series: TEST is for test donations',
  ],
  [
    { receiptSender: 'us', mail: smtp, receipts: { ...receipts, keepYears: undefined } },
    'receipts.keepYears: found nothing; expected the number of years that your accountant asks ' +
      'you to keep tax receipts, such as 7',
  ],
  [
    { receiptSender: 'us', mail: smtp, receipts: { ...receipts, template: 'neutral' } },
    'receipts.keepYears: found 7; expected nothing, because neutral receipts lose the donor',
  ],
  ...[{}, { timeZone: 'UTC' }].map(
    (zone) =>
      [
        { ...zone, forms: [giftAid] },
        'timeZone: found …; expected Europe/London, because a form offers Gift Aid',
      ] as const,
  ),
  [
    { receiptSender: 'us', mail: smtp, receipts: { ...receipts, reviewedBy: undefined } },
    'receipts.reviewedBy: found nothing; expected the name of the person who has checked the ' +
      'words of this template, such as "Maria Example"',
  ],
  ...[undefined, 'x', '123456789', '12-345678', '12-3456789 '].map(
    (taxId) => [changeTaxId('us', taxId), 'receipts.issuer.taxId: found …; expected '] as const,
  ),
  [changeTaxId('us', 'x'), 'receipts.issuer.taxId: found "x"; expected an EIN such as 12-3456789'],
  ...['x', '12345', '12345678', 'SC12345', 'NI123456', '1234567 SC012345'].map(
    (taxId) =>
      [
        changeTaxId('uk', taxId),
        'receipts.issuer.taxId: found …; expected a charity number such as 1234567, SC012345, or ' +
          'NIC123456',
      ] as const,
  ),
  [
    changePlatform({ apiKey: { file: '/nowhere/key' } }),
    'platform.apiKey: cannot read /nowhere/key (no such file)…Create a file that contains the key',
  ],
  [
    {
      platform: { ...http, record: { ...http.record, body: { a: '{amount}' } } },
    },
    'platform: found {amount}; expected placeholders that start with one of these names: ' +
      'reference',
  ],
  [
    changePayments({ provider: 'module', name: 'own', module: './none.js' }),
    'payments.0.module: cannot load …none.js…expected a JavaScript module',
  ],
  [{ receiptSender: 'ours' }, 'receiptSender: found "ours"; expected one of us, '],
  [
    { timeZone: 'Berlin' },
    'timeZone: found "Berlin"; expected an IANA time zone, such as Europe/Berlin',
  ],
  [{ timeZone: '+01:00' }, 'timeZone: found …; expected an IANA time zone'],
  [{ retention: { donorDataDays: 0 } }, 'retention.donorDataDays: found 0; '],
  [{ retention: { days: 30 } }, 'retention: '],
  [
    { inboundWebhooks: [{ ...inbound, hook: resolve('test/wait-until.ts') }] },
    'inboundWebhooks.0.hook: …wait-until.ts does not export a function named onPlatformEvent',
  ],
  [
    { inboundWebhooks: [{ ...inbound, hook: 'hooks.js' }] },
    'inboundWebhooks.0.hook: cannot load …hooks.js',
  ],
  [
    { inboundWebhooks: [inbound, { ...inbound, source: 'donation-v1' }] },
    'inboundWebhooks: found the same secret for two platforms',
  ],
  [
    { inboundWebhooks: [inbound, inbound] },
    'inboundWebhooks: found …; expected each source only once',
  ],
  [
    { inboundWebhooks: [{ ...inbound, idPath: 'event..id' }] },
    'inboundWebhooks.0.idPath: found …; expected a dot-separated path',
  ],
  [
    {
      forms: [{ ...form, currencies: [{ ...usd, code: 'SEK' }] }],
      payments: [{ ...stripe, methods: ['swish', 'mobilepay'] }],
    },
    'payments.0.methods: found swish, mobilepay; expected at least one method that supports ' +
      'recurring donations in SEK',
  ],
  ...['DIGITS', 'LETTERS_21', 'HEX_31', 'SLASH', 'REPEATED', 'LETTERS_201'].map(
    (env) =>
      [
        { inboundWebhooks: [{ ...inbound, secret: { env } }] },
        'inboundWebhooks.0.secret: …at least 128 random bits in at most',
      ] as const,
  ),
];

/** Changes of the form, with paths in it. */
const INVALID_FORMS: Rows = [
  [
    changeUsd({ minimun: '5' }),
    'currencies.0: found the unknown field "minimun"…Did you mean "minimum"?',
  ],
  [{ allowSplit: 'yes' }, 'allowSplit: found "yes"; expected true or false'],
  [{ frequencies: ['daily'] }, 'frequencies.0: found "daily"; expected one of once, weekly, '],
  [{ frequencies: ['once', 'once'] }, 'frequencies: found …; expected each frequency only once'],
  [
    { donorFields: { emial: 'required' } },
    'donorFields: found emial; expected one of firstName, lastName, email',
  ],
  [
    {
      consents: Array.from({ length: 21 }, (_, index) => ({ ...consent, id: `consent-${index}` })),
    },
    'consents: found a list of length 21; expected at most 20 entries',
  ],
  [changeUsd({ minimum: 5 }), 'currencies.0.minimum: found 5; expected a string in quotes'],
  [
    changeUsd({ maximum: '99999999999' }),
    'currencies.0.maximum: found "99999999999"; expected an amount',
  ],
  [
    changeUsd({ giftArray: [{ value: '75.555' }] }),
    'currencies.0.giftArray.0.value: found "75.555"; expected an amount in USD of at most ' +
      '1000000000.00, with at most 2 decimal places',
  ],
  [
    changeUsd({ giftArray: [{ value: '50', drawing: 'cross' }] }),
    'currencies.0.giftArray.0.drawing: found "cross"; ',
  ],
  [
    changeFees({ projectId: 'costs' }),
    `currencies.0.feeCover.projectId: found "costs"; expected the ID of one of this form's ` +
      'projects',
  ],
  [
    changeFees({ methods: { paypal: { percent: '3', fixed: '0' } } }),
    'currencies.0.feeCover.methods: found paypal; expected one of card, bank, wallet',
  ],
  [
    changeFees({ methods: { bank: { percent: '0.8', fixed: '0', maximum: '0' } } }),
    'currencies.0.feeCover.methods.bank.maximum: found …; expected an amount greater than 0',
  ],
  [
    changeUsd({ code: 'USB' }),
    'currencies.0.code: found "USB"; expected an active ISO 4217 currency',
  ],
  [
    changeProject({ name: '' }),
    'projects.0.name: found an empty string; expected a non-empty string',
  ],
  [
    changeProject({ name: 7 }),
    'projects.0.name: found 7; expected a non-empty string, or one string per language, such as ',
  ],
  [changeProject({ name: {} }), 'projects.0.name: found …; expected text in at least one language'],
  [
    changeProject({ name: { en: 'Wells', tlh: 'QIb' } }),
    'projects.0.name: found tlh; expected one of en, en-GB, es, ',
  ],
  [changeProject({ name: { de: '' } }), 'projects.0.name.de: found an empty string; '],
  [
    changeUsd({ giftArrays: { weekly: [] } }),
    'currencies.0.giftArrays.weekly: found "weekly"; expected a frequency that the form ' +
      'offers: once, monthly',
  ],
  [
    { urlAliases: { amount: ['sum'], segment: ['sum'] } },
    'urlAliases: found "sum" more than once; expected each name only once',
  ],
  [
    changeUsd({ giftArrays: { monthly: [{ value: '25001' }] } }),
    'currencies.0.giftArrays.monthly.0.value: found 25001; expected an amount from 5 to 25000',
  ],
  [
    changeUsd({ giftArray: [{ value: '25' }, { value: '30' }, { value: '25.00' }] }),
    'currencies.0.giftArray.2.value: found 25.00 twice in this list; expected each amount once',
  ],
  [
    changeUsd({ giftArrays: { monthly: [{ value: '25' }, { value: '25' }] } }),
    'currencies.0.giftArrays.monthly.1.value: found 25 twice in this list',
  ],
  [
    { monthlyUpsell: true, frequencies: ['once'] },
    'monthlyUpsell: found true; expected true only if frequencies include once and monthly',
  ],
  [
    { giftAid: true },
    'giftAid: found true; expected GBP in currencies, because Gift Aid is a UK tax relief',
  ],
  [
    { giftAid: true, donorFields: { firstName: 'optional', lastName: 'required' } },
    'donorFields.firstName: found "optional"; expected required, because a Gift Aid declaration',
  ],
  [{ giftAid: 'yes' }, 'giftAid: found "yes"; expected true, or {'],
  [
    changeProject({ goal: { raised: '0.001', target: '5' } }),
    'projects.0.goal.raised: found "0.001"; expected an amount in USD of at most ' +
      '1000000000.00, with at most 2 decimal places',
  ],
  [
    changeProject({ goal: { raised: '0', target: '0' } }),
    'projects.0.goal.target: found "0"; expected more than 0',
  ],
  [
    { consents: [consent, consent] },
    'consents: found a list of length 2; expected each id only once, but entries 0 and 1 ' +
      'have the same id',
  ],
  [
    { consents: [{ ...consent, text: { en: 'Yes', he: '\u200fכן' } }] },
    'consents.0.text.he: found …; expected text without control characters, direction marks',
  ],
  [{ consents: [{ ...consent, text: 'x'.repeat(2_001) }] }, 'consents.0.text: '],
  [
    changeField({ ...field, required: true }),
    'customFields.0.label: found …; expected a label, because a field without a label is hidden',
  ],
  [changeField({ ...field, hint: 'x' }), 'customFields.0.label: found …; expected a label'],
  [
    changeField({ ...list, formatter: 'ListCheckbox' }),
    'customFields.0.formatter: found "ListCheckbox"; expected a formatter for List fields: ' +
      'None, Dropdown, ListRadio',
  ],
  [
    changeField({ ...list, options: undefined }),
    'customFields.0.options: found …; expected options for List',
  ],
  [
    changeField({ ...field, options: ['A'] }),
    'customFields.0.options: found …; expected options for List',
  ],
  [
    changeField({ ...list, options: ['A', { value: 'a', label: 'B' }] }),
    'customFields.0.options: found …; expected each value (ignoring case) only once',
  ],
  [changeField({ ...list, options: [{ value: 'A' }] }), 'customFields.0.options.0.label: '],
  [
    changeField({ ...list, type: 'Multiselect', options: ['A, B'] }),
    'customFields.0.options: found …; expected values without commas',
  ],
  [{ texts: { xx: {} } }, 'texts: found xx; expected one of en, en-GB, es, '],
  [
    { texts: { en: { donorr: 'You' } } },
    'texts.en: found "donorr"; expected a key listed in docs/reference/texts.md',
  ],
  [
    { texts: { de: { give: '{gfit} geben' } } },
    'texts.de.give: found {gfit}; expected only {amount}',
  ],
  [{ texts: { en: { give: 'x'.repeat(501) } } }, 'texts.en.give: '],
];
async function getStartError(
  text: string,
): Promise<{ readonly file: string; readonly message: string; readonly name: string }> {
  const file = await writeConfiguration(text);
  try {
    const configuration = await loadConfiguration(file);
    await (await createEndpoint({ configuration, environment, log: LOG })).close();
    return { file, message: '', name: 'none' };
  } catch (error) {
    const { message, name } = error as Error;
    return { file, message, name };
  }
}

/** Creates a pattern from the start of a line, in which an ellipsis stands for any text. */
const toPattern = (text: string): RegExp =>
  new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('…', '.*')}`);

const invalid: Rows = [
  ...INVALID_CONFIGURATIONS,
  ...INVALID_ORGANIZATIONS.map(
    ([change, problem]) => [changeOrganization(change), `organizations.0.${problem}`] as const,
  ),
  ...INVALID_FORMS.map(
    ([change, problem]) => [changeForm(change), `organizations.0.forms.0.${problem}`] as const,
  ),
];

for (const [configuration, problem] of invalid)
  test(`refuses to start and reports file, path, value, and expectation: ${problem}`, async () => {
    const { file, message, name: kind } = await getStartError(JSON.stringify(configuration));
    const lines = message.split('\n');
    assert.equal(kind, 'ConfigurationError', message);
    const pattern = toPattern(`${file}: ${problem}`);
    assert.ok(
      lines.some((line) => pattern.test(line)),
      message,
    );
    assert.match(
      lines.at(-1)!,
      /Correct the configuration and try again\. docs\/reference\/configuration\.md describes every field/,
    );
    assert.doesNotMatch(message, /canary|Invalid|invalid input|undefined|\[object/i);
    for (const secret of Object.values(environment))
      assert.ok(secret.length < 20 || !message.includes(secret), message);
    if (/^organizations\.0\.(forms|origins|platform\.baseUrl|.*\.secretKey\.env)/.test(problem))
      assert.ok(
        !existsSync(join(dirname(file), 's.sqlite')),
        'validates before creating the database',
      );
  });

interface JsonSchema {
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly properties?: { readonly env?: JsonSchema };
  readonly additionalProperties?: JsonSchema | boolean;
}

/** Lists configurations with only a value in the place of one secret, and what selects the place. */
function placeInSecrets(schema: JsonSchema | boolean | undefined, value: unknown): unknown[] {
  if (typeof schema !== 'object') return [];
  const { anyOf = [], oneOf = [], items, prefixItems = [], properties = {} } = schema;
  if (anyOf.some((option) => option.properties?.env)) return [value];
  const constants = Object.entries(properties).flatMap(([name, { const: constant }]) =>
    constant === undefined ? [] : [[name, constant] as const],
  );
  return [
    ...[...anyOf, ...oneOf].flatMap((option) => placeInSecrets(option, value)),
    ...[items, ...prefixItems].flatMap((item) => placeInSecrets(item, value).map((part) => [part])),
    ...Object.entries(properties).flatMap(([name, property]) =>
      placeInSecrets(property, value).map((part) => ({
        ...Object.fromEntries(constants),
        [name]: part,
      })),
    ),
    ...placeInSecrets(schema.additionalProperties, value).map((part) => ({ name: part })),
  ];
}

test("never shows what it finds in a secret's place", () => {
  const schema = z.toJSONSchema(configurationSchema, {
    io: 'input',
    reused: 'inline',
    unrepresentable: 'any',
  }) as JsonSchema;
  for (const value of [
    'canary',
    '9canary!',
    'a canary with spaces, and longer than any line of an error message could be expected to be',
    'canary'.repeat(100),
    ['canary'],
    { canary: 1 },
    { env: 'canary' },
    { file: 'canary' },
    { env: 'A', canary: 'canary' },
    7_355_608,
  ]) {
    const configurations = placeInSecrets(schema, value);
    assert.ok(configurations.length >= 15, String(configurations.length));
    for (const configuration of configurations) {
      const result = parseConfiguration(configuration);
      const text = 'problems' in result ? result.problems.join('\n') : '';
      assert.match(text, /(?:key|password|secret)[^:\n]*: found/i, JSON.stringify(configuration));
      assert.doesNotMatch(text, /canary|7355608/, text);
    }
  }
});

test('reports the line of a JSON syntax error without quoting the file', async () => {
  for (const [text, location] of [
    ['{', 'line 1, column 2'],
    ['{"a": 1,\n"b": 2,\n}', 'line 3, column 1'],
    ['{\n"secretKey": sk_live_canary,\n"b": 2}', 'line 2'],
    ['', 'line 1'],
    ['{\n"a": 1\n', 'line 3, column 1'],
    ['{\n"a": 1,\n"b": tru,\n"c": 3}', 'line 3'],
  ] as const) {
    const { file, message } = await getStartError(text);
    assert.ok(message.startsWith(`${file}: ${location}`), message);
    assert.match(message, /invalid JSON\. Use double quotes/);
    assert.doesNotMatch(message, /canary/);
  }
});

test('accepts valid configurations', async () => {
  for (const change of [
    {},
    { timeZone: 'Europe/London', forms: [giftAid] },
    { timeZone: 'America/Argentina/Buenos_Aires', retention: { donorDataDays: 30 } },
    { inboundWebhooks: [{ ...inbound, secret: { env: 'LETTERS_22' } }] },
    { inboundWebhooks: [{ ...inbound, secret: { env: 'HEX_32' } }] },
    {
      forms: [{ ...form, currencies: [{ ...usd, code: 'SEK' }], frequencies: ['once'] }],
      payments: [{ ...stripe, methods: ['swish', 'mobilepay'] }],
    },
    ...[
      'smtp.example.org',
      'Mail.Example.ORG',
      'localhost',
      'mail',
      '192.0.2.1',
      '2001:db8::1',
    ].map((host) => ({ mail: { ...smtp, host } })),
    ...['123456', '1234567', '1234567-1', 'SC012345', 'NIC100123', '1089464 and SC037605'].map(
      (taxId) => changeTaxId('uk', taxId),
    ),
  ])
    assert.equal((await getStartError(JSON.stringify(changeOrganization(change)))).message, '');
});

/** Texts that can have several lines. */
const PARAGRAPHS = [
  'organizations.forms.currencies.giftArray.description',
  'organizations.forms.consents.text',
  'organizations.forms.customFields.hint',
  'organizations.payments.description',
  'organizations.payments.instructions',
  'organizations.mail.thankYou.en',
  'organizations.mail.signature',
  'organizations.receipts.message',
];

/** Lists each string of a JSON value with a function that returns the value with another string. */
function listTexts(
  value: unknown,
  path: readonly string[] = [],
): { readonly path: string; readonly text: string; readonly replace: (text: string) => unknown }[] {
  if (typeof value === 'string')
    return [{ path: path.join('.'), text: value, replace: (text) => text }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    listTexts(part, [...path, name]).map((found) => ({
      ...found,
      replace: (text) =>
        Array.isArray(value)
          ? value.map((entry: unknown, at) => (String(at) === name ? found.replace(text) : entry))
          : { ...value, [name]: found.replace(text) },
    })),
  );
}

test('reads a PEM key from an environment variable with line breaks or with \\n', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1_024 });
  for (const type of ['pkcs1', 'pkcs8'] as const) {
    const pem = privateKey.export({ type, format: 'pem' }).toString();
    const crlf = pem.replaceAll('\n', '\r\n');
    for (const value of [pem, pem.trim(), crlf, ...[pem, crlf.trim()].map(escapeLineBreaks)])
      assert.ok(
        createPrivateKey(readSecret({ env: 'PEM' }, 'dkim', { PEM: value })).equals(privateKey),
        JSON.stringify(value),
      );
  }
  for (const value of ['-----BEGIN X-----', '-----BEGIN X-----\nä\n-----END X-----', 'a\nb', 'a\n'])
    assert.throws(() => readSecret({ env: 'PEM' }, 'dkim', { PEM: value }), /found a space/);
});

const escapeLineBreaks = (text: string): string =>
  text.replaceAll('\r', '').replaceAll('\n', String.raw`\n`);

test('rejects control characters in every text, and line breaks in all but paragraphs', () => {
  const everyText = {
    ...good,
    alerts: {
      email: { ...smtp, user: 'alerts', password: { env: 'P' }, to: ['o@example.org'] },
    },
    organizations: [
      {
        ...organization,
        receiptSender: 'us',
        mail: {
          ...smtp,
          user: 'giving',
          password: { env: 'P' },
          replyTo: 'o@example.org',
          dkim: { selector: 'donations', privateKey: { file: '/run/secrets/dkim' } },
          color: '#0a6e5c',
          logo: 'logo.png',
          subject: { en: 'Thanks', de: 'Danke' },
          thankYou: { en: 'You bring light.' },
          signature: 'Your team',
        },
        receipts: { ...receipts, series: 'WEB', message: 'We thank you.' },
        payments: [{ ...stripe, label: 'Card' }, offline],
        platform: { ...platform, giftUrl: 'https://crm.example.org/gifts/{id}' },
        goals: [{ ...goal, projects: ['1'], segments: ['spring'] }],
        webhooks: [webhook],
        inboundWebhooks: [inbound],
        forms: [
          {
            ...form,
            currencies: [
              { ...usd, giftArray: [{ value: '25', description: 'Net', displayValue: '25' }] },
            ],
            consents: [consent],
            customFields: [{ ...list, label: 'Shirt', hint: 'Unisex', options: ['A'] }],
          },
        ],
      },
    ],
  };
  const listAccepted = (suffix: string): string[] =>
    listTexts(everyText)
      .filter(({ text, replace }) => 'configuration' in parseConfiguration(replace(text + suffix)))
      .map(({ path }) => path.replaceAll(/\.\d+/g, ''));
  assert.equal(listAccepted('').length, listTexts(everyText).length);
  for (const text of ['\0', '\t', '\u202e', '\u2066', '\ud800', '\rBcc: o@o.example', '\r\nBcc'])
    assert.deepEqual(listAccepted(text), [], JSON.stringify(text));
  for (const text of ['\nBcc: o@o.example', '\u0085Bcc', '\u2028Bcc'])
    assert.deepEqual(listAccepted(text), PARAGRAPHS, JSON.stringify(text));
});
