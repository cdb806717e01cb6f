import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ApiQuota } from '../../../src/server/platform/api-quota.ts';
import { loadConfiguration } from '../../../src/server/config/load-configuration.ts';
import { createOrganizations } from '../../../src/server/config/create-organizations.ts';
import { buildForms } from '../../../src/server/config/validate-configuration.ts';
import { createEndpoint } from '../../../src/server/create-endpoint.ts';
import { openTestDatabase } from '../test-database.ts';

const usd = { code: 'USD', minimum: '5', maximum: '25000', giftArray: [{ value: '25' }] };
const form = {
  id: 'main',
  currencies: [usd],
  frequencies: ['once', 'monthly'],
  projects: [{ id: '1', name: 'Wells' }],
  donorFields: { email: 'required' },
};
const stripe = {
  provider: 'stripe',
  publicKey: 'pk_test_1',
  secretKey: { env: 'STRIPE' },
  webhookSecret: { env: 'W' },
};
const paypal = {
  provider: 'paypal',
  environment: 'sandbox',
  clientId: 'AZabc-1_2',
  clientSecret: { env: 'P' },
  webhookId: '1JE4291016473214C',
};
const offline = {
  provider: 'offline',
  label: 'Transfer',
  description: 'Later.',
  instructions: 'Write {reference}.',
};
const platform = { adapter: 'sandbox', baseUrl: 'http://127.0.0.1:1', apiKey: { env: 'K' } };
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
const organization = {
  id: 'o',
  name: 'O',
  contact: 'o@example.org',
  origins: ['https://o.example'],
  forms: [form],
  payments: [stripe],
  platform,
};
const apiUrl = { apiUrl: 'http://127.0.0.1:4102/stripe' };
const goal = { id: 'wells', name: 'Wells', currency: 'USD', target: '50000', from: '2026-11-01' };
const good = {
  listen: { host: '127.0.0.1', port: 0 },
  database: 's.sqlite',
  organizations: [organization],
};
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
};

const createConfigurationWithOrganization = (change: object): object => ({
  ...good,
  organizations: [{ ...organization, ...change }],
});
const createConfigurationWithForm = (change: object): object =>
  createConfigurationWithOrganization({ forms: [{ ...form, ...change }] });

/** Invalid configurations with the path, the value found, and the expectation in the message. */
const INVALID_CONFIGURATIONS: readonly (readonly [
  name: string,
  configuration: unknown,
  place: string,
  found: RegExp,
  expected: RegExp,
])[] = [
  ['a number instead of an object', 7, 'the top level', /found 7/, /expected an object/],
  [
    'a missing field',
    { ...good, database: undefined },
    'database',
    /found nothing/,
    /expected a string/,
  ],
  [
    'a misspelled field',
    { ...good, databases: 'x' },
    'the top level',
    /found the unknown field "databases"/,
    /Did you mean "database"\? Valid fields are \$schema, .*, backgroundJobs, alerts, and organizations/,
  ],
  [
    'a project without a code for Virtuous',
    createConfigurationWithOrganization({
      platform: { adapter: 'virtuous-crm', apiKey: { env: 'K' } },
    }),
    'organizations.0.forms.0.projects.0.code',
    /found nothing/,
    /designates gifts by project code\. Copy the project.s code from Virtuous/,
  ],
  [
    'another payment provider next to a platform that charges',
    createConfigurationWithOrganization({ ...raise, payments: [platformPayment, offline] }),
    'organizations.0.payments.1.provider',
    /found "offline"/,
    /expected only "platform", because virtuous-raise records only its own charges/,
  ],
  [
    'a platform that charges without its payment provider',
    createConfigurationWithOrganization({ ...raise, payments: [stripe] }),
    'organizations.0.payments.0.provider',
    /found "stripe"/,
    /expected only "platform".*Remove the other payment providers/,
  ],
  [
    'charges by a platform that cannot charge',
    createConfigurationWithOrganization({ payments: [platformPayment] }),
    'organizations.0.payments.0.provider',
    /found "platform", but the sandbox adapter cannot charge/,
    /Choose stripe, paypal, offline, or module/,
  ],
  [
    'recurring donations at a platform that charges',
    createConfigurationWithOrganization({ ...raise, forms: [form] }),
    'organizations.0.forms.0.frequencies.1',
    /found "monthly"/,
    /expected only "once"/,
  ],
  [
    'another currency than that of a platform that charges',
    createConfigurationWithOrganization({
      ...raise,
      platform: { ...raise.platform, currency: 'CAD' },
    }),
    'organizations.0.forms.0.currencies.0.code',
    /found "USD"/,
    /expected only CAD/,
  ],
  [
    'a charge at a platform without our reference',
    createConfigurationWithOrganization({ ...raise, platform: { ...raise.platform, body: {} } }),
    'organizations.0.platform.body',
    /found no \{reference\}/,
    /Add \{reference\} to a field that the platform's search covers/,
  ],
  [
    'an unknown field without a similar name',
    createConfigurationWithOrganization({ colour: 'red' }),
    'organizations.0',
    /found the unknown field "colour"/,
    /"colour"\. Valid fields are id, name, contact/,
  ],
  [
    'a misspelled nested field',
    createConfigurationWithForm({ currencies: [{ ...usd, minimun: '5' }] }),
    'organizations.0.forms.0.currencies.0',
    /found the unknown field "minimun"/,
    /Did you mean "minimum"\?/,
  ],
  [
    'a misspelled field of a payment provider',
    createConfigurationWithOrganization({ payments: [{ ...stripe, publickey: 'x' }] }),
    'organizations.0.payments.0',
    /found the unknown field "publickey"/,
    /Did you mean "publicKey"\?/,
  ],
  [
    'no organization',
    { ...good, organizations: [] },
    'organizations',
    /found an empty list/,
    /expected at least one entry/,
  ],
  [
    'organizations that are not a list',
    { ...good, organizations: organization },
    'organizations',
    /found an object with "id", "name", .*, and "platform"/,
    /expected a list/,
  ],
  [
    'a goal that ends before it starts',
    createConfigurationWithOrganization({ goals: [{ ...goal, to: '2026-10-31' }] }),
    'organizations.0.goals.0.to',
    /found 2026-10-31/,
    /expected 2026-11-01 \(the first day\) or later/,
  ],
  [
    'a goal that ends before it starts, beside a secret that is not set',
    createConfigurationWithOrganization({
      goals: [{ ...goal, to: '2026-10-31' }],
      payments: [{ ...stripe, secretKey: { env: 'MISSING' } }],
    }),
    'organizations.0.goals.0.to',
    /found 2026-10-31/,
    /expected 2026-11-01 \(the first day\) or later/,
  ],
  [
    'a goal with an invalid date',
    createConfigurationWithOrganization({ goals: [{ ...goal, from: '2026-02-30' }] }),
    'organizations.0.goals.0.from',
    /found "2026-02-30"/,
    /expected a date such as 2026-11-01/,
  ],
  [
    'a goal of a project that no form offers',
    createConfigurationWithOrganization({ goals: [{ ...goal, projects: ['2'] }] }),
    'organizations.0.goals.0.projects.0',
    /found "2"/,
    /expected the code or ID of a project that a form offers/,
  ],
  [
    'a goal with a target of 0',
    createConfigurationWithOrganization({ goals: [{ ...goal, target: '0' }] }),
    'organizations.0.goals.0.target',
    /found "0"/,
    /expected more than 0/,
  ],
  [
    'a goal in an unknown currency',
    createConfigurationWithOrganization({ goals: [{ ...goal, currency: 'USX' }] }),
    'organizations.0.goals.0.currency',
    /found "USX"/,
    /expected an active ISO 4217 currency/,
  ],
  [
    'two listeners with the same port',
    { ...good, listen: { host: '127.0.0.1', port: 4101 }, admin: { port: 4101 } },
    'admin.port',
    /found 4101, which is also listen\.port/,
    /expected another port/,
  ],
  [
    'two goals with the same id',
    createConfigurationWithOrganization({ goals: [goal, goal] }),
    'organizations.0.goals.1.id',
    /found the ID "wells" at organizations\.0\.goals\.0\.id and organizations\.0\.goals\.1\.id/,
    /expected an ID that is unique across/,
  ],
  [
    'no payment provider',
    createConfigurationWithOrganization({ payments: [] }),
    'organizations.0.payments',
    /found an empty list/,
    /expected at least one entry/,
  ],
  [
    'a secret instead of its location',
    createConfigurationWithOrganization({ payments: [{ ...stripe, secretKey: 'canary-secret' }] }),
    'organizations.0.payments.0.secretKey',
    /found a string of 13 characters \(hidden because it may be a secret\)/,
    /expected \{ "env": "NAME" \} or \{ "file"/,
  ],
  [
    'a platform key instead of its location',
    createConfigurationWithOrganization({ platform: { ...platform, apiKey: 'canary-secret' } }),
    'organizations.0.platform.apiKey',
    /found a string of 13 characters/,
    /expected \{ "env": "NAME" \}/,
  ],
  [
    'a secret as a variable name',
    createConfigurationWithOrganization({
      payments: [{ ...stripe, secretKey: { env: 'canary_key' } }],
    }),
    'organizations.0.payments.0.secretKey.env',
    /found a string of 10 characters/,
    /expected an environment variable name/,
  ],
  [
    'a long host name instead of an origin',
    createConfigurationWithOrganization({ origins: ['www.riverbank-trust.example/give'] }),
    'organizations.0.origins.0',
    /found "www\.riverbank-trust\.example\/give"/,
    /expected https:\/\/www\.riverbank-trust\.example, with https:\/\/ and without a path/,
  ],
  [
    'a secret in an unrelated field',
    createConfigurationWithOrganization({ name: 7, contact: 'sk_live_canary' }),
    'organizations.0.contact',
    /found a string of 14 characters \(hidden because it may be a secret/,
    /expected an email address/,
  ],
  [
    'a port that is a string',
    { ...good, listen: { host: 'x', port: '80' } },
    'listen.port',
    /found "80"/,
    /expected a number/,
  ],
  [
    'a port out of range',
    { ...good, listen: { host: 'x', port: 70_000 } },
    'listen.port',
    /found 70000/,
    /expected at most 65535/,
  ],
  [
    'a fractional port',
    { ...good, listen: { host: 'x', port: 80.5 } },
    'listen.port',
    /found 80\.5/,
    /expected an integer/,
  ],
  [
    'an empty host',
    { ...good, listen: { host: '', port: 80 } },
    'listen.host',
    /found an empty string/,
    /expected a non-empty string/,
  ],
  [
    'an origin with a path',
    createConfigurationWithOrganization({ origins: ['https://o.example/give'] }),
    'organizations.0.origins.0',
    /found "https:\/\/o\.example\/give"/,
    /expected https:\/\/o\.example, without a path, query, or fragment/,
  ],
  [
    'a contact without an at sign',
    createConfigurationWithOrganization({ contact: 'o.example' }),
    'organizations.0.contact',
    /found "o\.example"/,
    /expected an email address/,
  ],
  [
    'an unencrypted platform URL',
    createConfigurationWithOrganization({
      platform: { ...platform, baseUrl: 'http://platform.example' },
    }),
    'organizations.0.platform.baseUrl',
    /found a string of 23 characters/,
    /expected an https:\/\/ URL/,
  ],
  [
    'a delay of a lookup that is not configured',
    createConfigurationWithOrganization({ platform: { ...http, findDelaySeconds: 60 } }),
    'organizations.0.platform',
    /found an object with .* "findDelaySeconds"/,
    /expected "find" too, because "findDelaySeconds" has no effect without it/,
  ],
  [
    'an unknown platform',
    createConfigurationWithOrganization({ platform: { ...platform, adapter: 'magic' } }),
    'organizations.0.platform.adapter',
    /found "magic"/,
    /expected one of sandbox, http, /,
  ],
  [
    'an unknown provider',
    createConfigurationWithOrganization({ payments: [{ provider: 'giropay' }] }),
    'organizations.0.payments.0.provider',
    /found "giropay"/,
    /expected stripe, paypal, offline/,
  ],
  [
    'a boolean that is a string',
    createConfigurationWithForm({ allowSplit: 'yes' }),
    'organizations.0.forms.0.allowSplit',
    /found "yes"/,
    /expected true or false/,
  ],
  [
    'an unknown frequency',
    createConfigurationWithForm({ frequencies: ['daily'] }),
    'organizations.0.forms.0.frequencies.0',
    /found "daily"/,
    /expected one of once, weekly, /,
  ],
  [
    'an unknown donor field',
    createConfigurationWithForm({ donorFields: { emial: 'required' } }),
    'organizations.0.forms.0.donorFields',
    /found emial/,
    /expected one of firstName, lastName, email/,
  ],
  [
    'a list with too many entries',
    createConfigurationWithForm({
      consents: Array.from({ length: 21 }, (_, index) => ({
        id: `consent-${index}`,
        text: 'Email me',
      })),
    }),
    'organizations.0.forms.0.consents',
    /found a list of length 21/,
    /expected at most 20 entries/,
  ],
  [
    'an amount that is a number',
    createConfigurationWithForm({ currencies: [{ ...usd, minimum: 5 }] }),
    'organizations.0.forms.0.currencies.0.minimum',
    /found 5/,
    /expected a string in quotes/,
  ],
  [
    'a project for covered fees that the form does not have',
    createConfigurationWithForm({
      currencies: [{ ...usd, feeCover: { percent: '2.9', fixed: '0.30', projectId: 'costs' } }],
    }),
    'organizations.0.forms.0.currencies.0.feeCover.projectId',
    /found "costs"/,
    /expected the ID of one of this form's projects/,
  ],
  [
    'an unknown currency',
    createConfigurationWithForm({ currencies: [{ ...usd, code: 'USB' }] }),
    'organizations.0.forms.0.currencies.0.code',
    /found "USB"/,
    /expected an active ISO 4217 currency/,
  ],
  [
    'two forms with the same id',
    createConfigurationWithOrganization({ forms: [form, form] }),
    'organizations.0.forms.1.id',
    /found the ID "main" at organizations\.0\.forms\.0\.id and organizations\.0\.forms\.1\.id/,
    /expected an ID that is unique across/,
  ],
  [
    'Stripe with recurring gifts but no webhooks',
    createConfigurationWithOrganization({ payments: [{ ...stripe, webhookSecret: undefined }] }),
    'organizations.0.payments.0.webhookSecret',
    /found nothing/,
    /expected a signing secret\. The main form offers recurring donations/,
  ],
  [
    'PayPal with recurring gifts but no webhooks',
    createConfigurationWithOrganization({ payments: [{ ...paypal, webhookId: undefined }] }),
    'organizations.0.payments.0.webhookId',
    /found nothing/,
    /expected the ID of a webhook\. The main form offers recurring donations/,
  ],
  [
    'PayPal with a currency that it lacks',
    createConfigurationWithOrganization({
      payments: [paypal],
      forms: [{ ...form, currencies: [{ ...form.currencies[0], code: 'INR' }] }],
    }),
    'organizations.0.payments.0',
    /PayPal does not support INR, which the main form offers/,
    /Remove the currency from that form/,
  ],
  [
    'PayPal both directly and through Stripe',
    createConfigurationWithOrganization({
      payments: [{ ...stripe, methods: ['card', 'paypal'] }, paypal],
    }),
    'organizations.0.payments.1',
    /found PayPal here and in payments\.0\.methods \(stripe\)/,
    /expected PayPal only once/,
  ],
  [
    "an emulator of PayPal's API with a live app",
    createConfigurationWithOrganization({
      payments: [{ ...paypal, ...apiUrl, environment: 'live' }],
    }),
    'organizations.0.payments.0.apiUrl',
    /found "http:\/\/127\.0\.0\.1:4102\/stripe" in the live environment/,
    /expected it only in the sandbox environment/,
  ],
  [
    'a key for a different mode',
    createConfigurationWithOrganization({ payments: [{ ...stripe, secretKey: { env: 'LIVE' } }] }),
    'organizations.0.payments.0.secretKey',
    /found a key of another type or mode/,
    /expected one that starts with sk_test_ or rk_test_/,
  ],
  [
    "the sandbox's API with a live publishable key",
    createConfigurationWithOrganization({
      payments: [{ ...stripe, ...apiUrl, publicKey: 'pk_live_1' }],
    }),
    'organizations.0.payments.0.apiUrl',
    /found "http:\/\/127\.0\.0\.1:4102\/stripe" and a live key/,
    /expected only test keys, because .*\. Remove apiUrl, or use keys that start with pk_test_/,
  ],
  [
    "the sandbox's API with a live secret key",
    createConfigurationWithOrganization({
      payments: [{ ...stripe, ...apiUrl, secretKey: { env: 'LIVE' } }],
    }),
    'organizations.0.payments.0.apiUrl',
    /and a live key/,
    /expected only test keys/,
  ],
  [
    "the sandbox's script with a live restricted key",
    createConfigurationWithOrganization({
      payments: [
        {
          ...stripe,
          scriptUrl: 'http://127.0.0.1:4102/stripe.js',
          secretKey: { env: 'LIVE_RESTRICTED' },
        },
      ],
    }),
    'organizations.0.payments.0.scriptUrl',
    /found "http:\/\/127\.0\.0\.1:4102\/stripe\.js" and a live key/,
    /expected only test keys, because .*\. Remove scriptUrl, or/,
  ],
  [
    'live and test payment providers together',
    createConfigurationWithOrganization({
      payments: [paypal, { ...stripe, publicKey: 'pk_live_1' }],
    }),
    'organizations.0.payments',
    /found stripe in live mode/,
    /expected all payment providers in the same mode, because a form is either live or in test mode/,
  ],
  [
    'instructions without the reference',
    createConfigurationWithOrganization({ payments: [{ ...offline, instructions: 'Send it.' }] }),
    'organizations.0.payments.0.instructions',
    /found text without \{reference\}/,
    /expected \{reference\} in each/,
  ],
  [
    'an unset variable',
    createConfigurationWithOrganization({ platform: { ...platform, apiKey: { env: 'ABSENT' } } }),
    'organizations.0.platform.apiKey',
    /the ABSENT environment variable is not set/,
    /expected a key\. Set the variable before you start the server/,
  ],
  [
    'an empty variable',
    createConfigurationWithOrganization({ platform: { ...platform, apiKey: { env: 'EMPTY' } } }),
    'organizations.0.platform.apiKey',
    /the EMPTY environment variable is empty/,
    /expected a key/,
  ],
  [
    'a key with a space',
    createConfigurationWithOrganization({ platform: { ...platform, apiKey: { env: 'SPACE' } } }),
    'organizations.0.platform.apiKey',
    /found a space, .* in the SPACE environment variable/,
    /expected only the key/,
  ],
  [
    'an unencrypted webhook URL',
    createConfigurationWithOrganization({
      webhooks: [{ url: 'http://site.example/hook', secret: { env: 'WH' } }],
    }),
    'organizations.0.webhooks.0.url',
    /found a string of 24 characters/,
    /expected an https:\/\/ URL/,
  ],
  [
    'the same webhook URL in two spellings',
    createConfigurationWithOrganization({
      webhooks: ['https://site.example/hook', 'https://SITE.example:443/hook'].map((url) => ({
        url,
        secret: { env: 'WH' },
      })),
    }),
    'organizations.0.webhooks',
    /found a list of length 2/,
    /expected each url only once, but entries 0 and 1 have the same url/,
  ],
  [
    'an unknown event',
    createConfigurationWithOrganization({
      webhooks: [
        { url: 'https://site.example/hook', secret: { env: 'WH' }, events: ['gift.made'] },
      ],
    }),
    'organizations.0.webhooks.0.events.0',
    /found "gift\.made"/,
    /expected one of donation\.succeeded, donation\.processing, /,
  ],
  [
    'an invalid webhook secret',
    createConfigurationWithOrganization({
      webhooks: [
        { url: 'https://site.example/hook', secret: { env: 'WH' }, previousSecret: { env: 'W' } },
      ],
    }),
    'organizations.0.webhooks.0.previousSecret',
    /found 7 characters that are not a webhook signing secret/,
    /expected whsec_ followed by 24 to 64 random bytes in base64\. Generate one with: echo/,
  ],
  [
    'a missing secret file',
    createConfigurationWithOrganization({
      platform: { ...platform, apiKey: { file: '/nowhere/key' } },
    }),
    'organizations.0.platform.apiKey',
    /cannot read \/nowhere\/key \(no such file\)/,
    /Create a file that contains the key/,
  ],
  [
    'an unset admin key',
    { ...good, admin: { port: 4103, key: { env: 'ABSENT' } } },
    'admin.key',
    /the ABSENT environment variable is not set/,
    /expected a key/,
  ],
  [
    'a template with an unknown placeholder',
    createConfigurationWithOrganization({
      platform: { ...http, record: { ...http.record, body: { a: '{amount}' } } },
    }),
    'organizations.0.platform',
    /found \{amount\}/,
    /expected placeholders that start with one of these names: reference/,
  ],
  [
    'a missing module',
    createConfigurationWithOrganization({
      payments: [{ provider: 'module', name: 'own', module: './none.js' }],
    }),
    'organizations.0.payments.0.module',
    /cannot load .*none\.js/,
    /expected a JavaScript module/,
  ],
  [
    'a database path below a file',
    { ...good, database: '/dev/null/s.sqlite' },
    'database',
    /cannot open the database/,
    /\(\/dev\/null\/s\.sqlite: cannot open the database: /,
  ],
];

/** Returns the error from starting a server with a configuration. */
async function getStartError(
  text: string,
): Promise<{ readonly file: string; readonly message: string; readonly name: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const file = join(folder, 'my.config.json');
  await writeFile(file, text);
  try {
    const endpoint = await createEndpoint({
      configuration: await loadConfiguration(file),
      environment,
    });
    await endpoint.close();
    return { file, message: '', name: 'none' };
  } catch (error) {
    const { message, name } = error as Error;
    return { file, message, name };
  } finally {
    await rm(folder, { recursive: true });
  }
}

for (const [name, configuration, place, found, expected] of INVALID_CONFIGURATIONS) {
  test(`refuses to start and reports file, path, value, and expectation: ${name}`, async () => {
    const { file, message, name: kind } = await getStartError(JSON.stringify(configuration));
    const lines = message.split('\n');
    assert.equal(kind, 'ConfigurationError', message);
    const line =
      lines.find((candidate) => candidate.startsWith(`${file}: ${place}: `)) ??
      assert.fail(message);
    assert.match(line, found);
    assert.match(line, expected);
    assert.match(
      lines.at(-1)!,
      /Correct the configuration and try again\. docs\/reference\/configuration\.md describes every field/,
    );
    assert.doesNotMatch(message, /canary|Invalid|invalid input|undefined|\[object/i);
  });
}

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

test('accepts a valid configuration', async () => {
  assert.equal((await getStartError(JSON.stringify(good))).message, '');
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const file = join(folder, 'c.json');
  await writeFile(file, JSON.stringify(good));
  await using database = await openTestDatabase();
  const configuration = await loadConfiguration(file);
  assert.equal(
    (
      await createOrganizations(configuration, {
        forms: buildForms(configuration),
        environment,
        createQuota: ({ id }) => new ApiQuota({ database, organization: id, now: Date.now }),
      })
    ).length,
    1,
  );
  await rm(folder, { recursive: true });
});
