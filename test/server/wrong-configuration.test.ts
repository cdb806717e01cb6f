import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ApiQuota } from '../../src/server/platform/api-quota.ts';
import {
  loadConfiguration,
  openOrganizations,
} from '../../src/server/config/load-configuration.ts';
import { createEndpoint } from '../../src/server/create-endpoint.ts';
import { openTestStore } from './store.ts';

const usd = { code: 'USD', minimum: '5', maximum: '25000', giftArray: [{ value: '25' }] };
const form = {
  id: 'main',
  currencies: [usd],
  frequencies: ['once', 'monthly'],
  projects: [{ id: '1', name: 'Wells' }],
  donorFields: { email: 'required' },
};
const sandbox = {
  provider: 'sandbox',
  baseUrl: 'http://127.0.0.1:1',
  publicKey: 'p',
  secretKey: { env: 'P' },
};
const stripe = {
  provider: 'stripe',
  publicKey: 'pk_test_1',
  secretKey: { env: 'STRIPE' },
  webhookSecret: { env: 'W' },
};
const offline = {
  provider: 'offline',
  label: 'Transfer',
  about: 'Later.',
  instructions: 'Write {reference}.',
};
const recorder = { kind: 'sandbox', baseUrl: 'http://127.0.0.1:1', apiKey: { env: 'K' } };
const http = {
  ...recorder,
  kind: 'http',
  record: { path: '/gift', body: { reference: '{reference}' }, idPath: 'id' },
};
const organization = {
  id: 'o',
  name: 'O',
  contact: 'o@example.org',
  origins: ['https://o.example'],
  forms: [form],
  payments: [sandbox],
  recorder,
};
const goal = { id: 'wells', name: 'Wells', currency: 'USD', target: '50000', from: '2026-11-01' };
const good = {
  listen: { host: '127.0.0.1', port: 0 },
  store: 's.sqlite',
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
  WH: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
};

const of = (change: object): object => ({
  ...good,
  organizations: [{ ...organization, ...change }],
});
const withForm = (change: object): object => of({ forms: [{ ...form, ...change }] });

/**
 * What is wrong, the place that is named, what is said to be found there, and what to be expected.
 */
const WRONG: readonly (readonly [
  name: string,
  configuration: unknown,
  place: string,
  found: RegExp,
  expected: RegExp,
])[] = [
  ['no configuration at all', 7, 'the whole file', /found 7/, /expected an object/],
  [
    'a field that is missing',
    { ...good, store: undefined },
    'store',
    /found nothing/,
    /expected a text/,
  ],
  [
    'a misspelt field',
    { ...good, stores: 'x' },
    'the whole file',
    /found "stores"/,
    /expected "store"\? The fields here are \$schema, listen, operator, store, process, drain, organizations/,
  ],
  [
    'a field that nothing resembles',
    of({ colour: 'red' }),
    'organizations.0',
    /found "colour"/,
    /expected none of that name\. The fields here are id, name, contact/,
  ],
  [
    'a misspelt field far inside',
    withForm({ currencies: [{ ...usd, minimun: '5' }] }),
    'organizations.0.forms.0.currencies.0',
    /found "minimun"/,
    /expected "minimum"\?/,
  ],
  [
    'a misspelt field of a way to pay',
    of({ payments: [{ ...stripe, publickey: 'x' }] }),
    'organizations.0.payments.0',
    /found "publickey"/,
    /expected "publicKey"\?/,
  ],
  [
    'no organisation',
    { ...good, organizations: [] },
    'organizations',
    /found an empty list/,
    /expected at least one entry/,
  ],
  [
    'an organisation that is no list',
    { ...good, organizations: organization },
    'organizations',
    /found an object with "id", "name"/,
    /expected a list/,
  ],
  [
    'a goal that ends before it begins',
    of({ goals: [{ ...goal, to: '2026-10-31' }] }),
    'organizations.0.goals.0.to',
    /found 2026-10-31/,
    /expected 2026-11-01, the first day, or a later one/,
  ],
  [
    'a goal on a day that is none',
    of({ goals: [{ ...goal, from: '2026-02-30' }] }),
    'organizations.0.goals.0.from',
    /found "2026-02-30"/,
    /expected a day such as 2026-11-01/,
  ],
  [
    'a goal of a project that no form offers',
    of({ goals: [{ ...goal, projects: ['2'] }] }),
    'organizations.0.goals.0.projects.0',
    /found "2"/,
    /expected the code or id of a project that a form offers/,
  ],
  [
    'a goal of nothing',
    of({ goals: [{ ...goal, target: '0' }] }),
    'organizations.0.goals.0.target',
    /found "0"/,
    /expected more than 0/,
  ],
  [
    'a goal in a currency that is none',
    of({ goals: [{ ...goal, currency: 'USX' }] }),
    'organizations.0.goals.0.currency',
    /found "USX"/,
    /expected an active ISO 4217 currency/,
  ],
  [
    'two goals with one id',
    of({ goals: [goal, goal] }),
    'organizations.0.goals.1.id',
    /found the id "wells" at organizations\.0\.goals\.0\.id and organizations\.0\.goals\.1\.id/,
    /expected each id once/,
  ],
  [
    'no way to pay',
    of({ payments: [] }),
    'organizations.0.payments',
    /found an empty list/,
    /expected at least one entry/,
  ],
  [
    'a secret in the place of its name',
    of({ payments: [{ ...sandbox, secretKey: 'canary-secret' }] }),
    'organizations.0.payments.0.secretKey',
    /found a text of 13 characters, which may be a secret and is not shown/,
    /expected \{ "env": "NAME" \} or \{ "file"/,
  ],
  [
    "the platform's key in the place of its name",
    of({ recorder: { ...recorder, apiKey: 'canary-secret' } }),
    'organizations.0.recorder.apiKey',
    /found a text of 13 characters/,
    /expected \{ "env": "NAME" \}/,
  ],
  [
    'a secret as the name of a variable',
    of({ payments: [{ ...sandbox, secretKey: { env: 'canary_key' } }] }),
    'organizations.0.payments.0.secretKey.env',
    /found a text of 10 characters/,
    /expected the name of an environment variable/,
  ],
  [
    'a secret where something else belongs',
    of({ name: 7, contact: 'sk_live_canary' }),
    'organizations.0.contact',
    /found a text of 14 characters, which may be a secret/,
    /expected an e-mail address/,
  ],
  [
    'a port that is a text',
    { ...good, listen: { host: 'x', port: '80' } },
    'listen.port',
    /found "80"/,
    /expected a number/,
  ],
  [
    'a port that is none',
    { ...good, listen: { host: 'x', port: 70_000 } },
    'listen.port',
    /found 70000/,
    /expected 65535 at most/,
  ],
  [
    'part of a port',
    { ...good, listen: { host: 'x', port: 80.5 } },
    'listen.port',
    /found 80\.5/,
    /expected a whole number/,
  ],
  [
    'an empty host',
    { ...good, listen: { host: '', port: 80 } },
    'listen.host',
    /found an empty text/,
    /expected something written here/,
  ],
  [
    'an origin with a path',
    of({ origins: ['https://o.example/give'] }),
    'organizations.0.origins.0',
    /found "https:\/\/o\.example\/give"/,
    /expected https:\/\/o\.example, without anything behind it/,
  ],
  [
    'a contact without an at',
    of({ contact: 'o.example' }),
    'organizations.0.contact',
    /found "o\.example"/,
    /expected an e-mail address/,
  ],
  [
    'a platform without encryption',
    of({ recorder: { ...recorder, baseUrl: 'http://platform.example' } }),
    'organizations.0.recorder.baseUrl',
    /found a text of 23 characters/,
    /expected an https:\/\/ address/,
  ],
  [
    'an unknown recorder',
    of({ recorder: { ...recorder, kind: 'magic' } }),
    'organizations.0.recorder.kind',
    /found "magic"/,
    /expected sandbox or http/,
  ],
  [
    'an unknown provider',
    of({ payments: [{ provider: 'paypal' }] }),
    'organizations.0.payments.0.provider',
    /found "paypal"/,
    /expected sandbox, stripe, offline/,
  ],
  [
    'a yes that is a text',
    withForm({ allowSplit: 'yes' }),
    'organizations.0.forms.0.allowSplit',
    /found "yes"/,
    /expected true or false/,
  ],
  [
    'an unknown frequency',
    withForm({ frequencies: ['daily'] }),
    'organizations.0.forms.0.frequencies.0',
    /found "daily"/,
    /expected once or weekly or/,
  ],
  [
    'an unknown donor field',
    withForm({ donorFields: { emial: 'required' } }),
    'organizations.0.forms.0.donorFields',
    /found emial/,
    /expected firstName, lastName, email/,
  ],
  [
    'too long a list',
    withForm({
      currencies: [{ ...usd, giftArray: Array.from({ length: 13 }, () => ({ value: '25' })) }],
    }),
    'organizations.0.forms.0.currencies.0.giftArray',
    /found a list of 13/,
    /expected 12 entries at most/,
  ],
  [
    'an amount that is a number',
    withForm({ currencies: [{ ...usd, minimum: 5 }] }),
    'organizations.0.forms.0.currencies.0.minimum',
    /found 5/,
    /expected a text in quotes/,
  ],
  [
    'no currency of this world',
    withForm({ currencies: [{ ...usd, code: 'USB' }] }),
    'organizations.0.forms.0.currencies.0.code',
    /found "USB"/,
    /expected an active ISO 4217 currency/,
  ],
  [
    'two forms of one id',
    of({ forms: [form, form] }),
    'organizations.0.forms.1.id',
    /found the id "main" at organizations\.0\.forms\.0\.id and organizations\.0\.forms\.1\.id/,
    /expected each id once/,
  ],
  [
    'Stripe with recurring gifts and no webhooks',
    of({ payments: [{ ...stripe, webhookSecret: undefined }] }),
    'organizations.0.payments.0.webhookSecret',
    /found nothing/,
    /expected one, since the form main offers recurring gifts/,
  ],
  [
    'a key of another mode',
    of({ payments: [{ ...stripe, secretKey: { env: 'LIVE' } }] }),
    'organizations.0.payments.0.secretKey',
    /found another kind or mode of key/,
    /expected one that begins with sk_test_ or rk_test_/,
  ],
  [
    'what moves money beside what does not',
    of({ payments: [sandbox, { ...stripe, publicKey: 'pk_live_1' }] }),
    'organizations.0.payments',
    /found stripe, which moves money/,
    /expected one or the other/,
  ],
  [
    'instructions without the reference',
    of({ payments: [{ ...offline, instructions: 'Send it.' }] }),
    'organizations.0.payments.0.instructions',
    /found a text without \{reference\}/,
    /expected it in each/,
  ],
  [
    'a variable that is not set',
    of({ recorder: { ...recorder, apiKey: { env: 'ABSENT' } } }),
    'organizations.0.recorder.apiKey',
    /the environment variable ABSENT is not set: found nothing/,
    /expected the key in it\. Set it where this is started/,
  ],
  [
    'a variable that is empty',
    of({ recorder: { ...recorder, apiKey: { env: 'EMPTY' } } }),
    'organizations.0.recorder.apiKey',
    /EMPTY is empty: found nothing/,
    /expected the key in it/,
  ],
  [
    'a key with a space',
    of({ recorder: { ...recorder, apiKey: { env: 'SPACE' } } }),
    'organizations.0.recorder.apiKey',
    /found a space, .* in the environment variable SPACE/,
    /expected the key alone/,
  ],
  [
    'a webhook to the site without encryption',
    of({ webhooks: [{ url: 'http://site.example/hook', secret: { env: 'WH' } }] }),
    'organizations.0.webhooks.0.url',
    /found a text of 24 characters/,
    /expected an https:\/\/ address/,
  ],
  [
    'one webhook twice, written in two ways',
    of({
      webhooks: ['https://site.example/hook', 'https://SITE.example:443/hook'].map((url) => ({
        url,
        secret: { env: 'WH' },
      })),
    }),
    'organizations.0.webhooks',
    /found a list of 2/,
    /expected each url once, and entry 1 has that of entry 0/,
  ],
  [
    'an event that is none',
    of({
      webhooks: [
        { url: 'https://site.example/hook', secret: { env: 'WH' }, events: ['gift.made'] },
      ],
    }),
    'organizations.0.webhooks.0.events.0',
    /found "gift\.made"/,
    /expected gift\.succeeded or gift\.pending or/,
  ],
  [
    'a secret of a webhook that is none',
    of({
      webhooks: [
        { url: 'https://site.example/hook', secret: { env: 'WH' }, previousSecret: { env: 'W' } },
      ],
    }),
    'organizations.0.webhooks.0.previousSecret',
    /found 7 characters that are no such secret/,
    /expected whsec_ and 24 to 64 random bytes in base64\. Make one: echo/,
  ],
  [
    'a file of a secret that is not there',
    of({ recorder: { ...recorder, apiKey: { file: '/nowhere/key' } } }),
    'organizations.0.recorder.apiKey',
    /\/nowhere\/key cannot be read: found no such file/,
    /expected a file that holds the key/,
  ],
  [
    "the operator's key that is not set",
    { ...good, operator: { port: 4103, key: { env: 'ABSENT' } } },
    'operator.key',
    /ABSENT is not set: found nothing/,
    /expected the key in it/,
  ],
  [
    'a template with a name that no gift has',
    of({ recorder: { ...http, record: { ...http.record, body: { a: '{amount}' } } } }),
    'organizations.0.recorder',
    /found \{amount\}/,
    /expected names that begin with reference/,
  ],
  [
    'a module that is not there',
    of({ payments: [{ provider: 'module', name: 'own', module: './none.js' }] }),
    'organizations.0.payments.0.module',
    /found that .*none\.js cannot be loaded/,
    /expected a JavaScript module/,
  ],
  [
    "a store in a file's place",
    { ...good, store: '/dev/null/s.sqlite' },
    'store',
    /found a store that cannot be used/,
    /expected one that opens: \/dev\/null\/s\.sqlite: the store cannot be opened/,
  ],
];

/** What a server says that is started with a configuration. */
async function refusal(
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

for (const [name, configuration, place, found, expected] of WRONG) {
  test(`${name}: the start is refused with the file, the place, what was found, what was expected and what to do`, async () => {
    const { file, message, name: kind } = await refusal(JSON.stringify(configuration));
    const lines = message.split('\n');
    assert.equal(kind, 'ConfigurationError', message);
    const line = lines.find((one) => one.startsWith(`${file}: ${place}: `)) ?? assert.fail(message);
    assert.match(line, found);
    assert.match(line, expected);
    assert.match(
      lines.at(-1)!,
      /Correct this and try again; docs\/configuration\.md says what each field means/,
    );
    assert.doesNotMatch(message, /canary|Invalid|invalid input|undefined|\[object/i);
  });
}

test('a configuration that is none of JSON is refused with the line, and without what stands there', async () => {
  for (const [text, where] of [
    ['{', 'line 1, column 2'],
    ['{"a": 1,\n"b": 2,\n}', 'line 3, column 1'],
    ['{\n"secretKey": sk_live_canary,\n"b": 2}', 'line 2'],
    ['', 'line 1'],
    ['{\n"a": 1\n', 'line 3, column 1'],
    ['{\n"a": 1,\n"b": tru,\n"c": 3}', 'line 3'],
  ] as const) {
    const { file, message } = await refusal(text);
    assert.ok(message.startsWith(`${file}: ${where}`), message);
    assert.match(message, /is no JSON: found something else there, expected JSON/);
    assert.doesNotMatch(message, /canary/);
  }
});

test('what is right is not refused', async () => {
  assert.equal((await refusal(JSON.stringify(good))).message, '');
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const file = join(folder, 'c.json');
  await writeFile(file, JSON.stringify(good));
  await using store = await openTestStore();
  assert.equal(
    (
      await openOrganizations(await loadConfiguration(file), {
        environment,
        budgetOf: ({ id }) => new ApiQuota({ store, organization: id, now: Date.now }),
      })
    ).length,
    1,
  );
  await rm(folder, { recursive: true });
});
