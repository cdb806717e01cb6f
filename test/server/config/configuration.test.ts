import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { FormDefinition } from '../../../src/core/schemas/form-definition.ts';
import { formDefinition } from '../../response-schemas.ts';
import type { Language } from '../../../src/core/i18n/languages.ts';
import { buildForms } from '../../../src/server/config/validate-configuration.ts';
import { loadConfiguration } from '../../../src/server/config/load-configuration.ts';
import { assertStripeKeysMatch } from '../../../src/server/payments/stripe/stripe-provider.ts';

const usd = { code: 'USD', minimum: '5', maximum: '25000', giftArray: [{ value: '25' }] };
const form = {
  id: 'main',
  currencies: [usd],
  frequencies: ['once', 'monthly'],
  projects: [{ id: '1', name: 'Wells' }],
  donorFields: { email: 'required' },
};
const consent = { id: 'news', text: 'Write to me' };
const field = { id: 'f', type: 'Text' };
const list = { id: 'l', type: 'List', options: ['A', 'B'] };

const stripe = {
  provider: 'stripe',
  publicKey: 'pk_live_1',
  secretKey: { env: 'S' },
  webhookSecret: { env: 'W' },
};
const testStripe = { ...stripe, publicKey: 'pk_test_1' };
const testPaypal = {
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

/** Loads a configuration with the given changes and returns its form definition by language. */
async function loadForm(
  change: object,
  {
    payments,
    ...organization
  }: { readonly payments?: readonly object[] } & Record<string, unknown> = {},
): Promise<(language: Language) => FormDefinition> {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const file = join(folder, 'c.json');
  await writeFile(
    file,
    JSON.stringify({
      listen: { host: '127.0.0.1', port: 0 },
      database: 's',
      organizations: [
        {
          id: 'o',
          name: 'O',
          contact: 'o@example.org',
          origins: ['https://o.example'],
          ...organization,
          forms: [{ ...form, ...change }],
          payments: payments ?? [testStripe],
          platform: { adapter: 'sandbox', baseUrl: 'http://127.0.0.1:1', apiKey: { env: 'K' } },
        },
      ],
    }),
  );
  try {
    const [[offered]] = buildForms(await loadConfiguration(file)) as [
      [ReturnType<typeof buildForms>[0][0]],
    ];
    return (language) => formDefinition.parse(offered[language].definition);
  } finally {
    await rm(folder, { recursive: true });
  }
}

for (const [name, change, problem] of [
  [
    'an empty text',
    { projects: [{ id: '1', name: '' }] },
    /projects\.0\.name: found an empty string; expected a non-empty string/,
  ],
  [
    'a text that is a number',
    { projects: [{ id: '1', name: 7 }] },
    /projects\.0\.name: found 7; expected a non-empty string, or one string per language, such as .*/,
  ],
  [
    'a text without languages',
    { projects: [{ id: '1', name: {} }] },
    /projects\.0\.name: found .*; expected text in at least one language/,
  ],
  [
    'a text in an unknown language',
    { projects: [{ id: '1', name: { en: 'Wells', tlh: 'QIb' } }] },
    /projects\.0\.name: found tlh; expected one of en, en-GB, es, /,
  ],
  [
    'an empty text in one language',
    { projects: [{ id: '1', name: { de: '' } }] },
    /projects\.0\.name\.de: found an empty string; .*/,
  ],
  [
    'a gift array for a frequency that the form does not offer',
    { currencies: [{ ...usd, giftArrays: { weekly: [] } }] },
    /giftArrays\.weekly: found "weekly"; expected a frequency that the form offers: once, monthly/,
  ],
  [
    'a gift array with an amount over the maximum',
    { currencies: [{ ...usd, giftArrays: { monthly: [{ value: '25001' }] } }] },
    /forms\.0\.currencies\.0\.giftArrays\.monthly\.0\.value: found 25001; expected an amount from 5 to 25000/,
  ],
  [
    'a duplicate amount',
    { currencies: [{ ...usd, giftArray: [{ value: '25' }, { value: '30' }, { value: '25.00' }] }] },
    /giftArray\.2\.value: found 25\.00 twice in this list; expected each amount once/,
  ],
  [
    'a duplicate amount for a frequency',
    { currencies: [{ ...usd, giftArrays: { monthly: [{ value: '25' }, { value: '25' }] } }] },
    /giftArrays\.monthly\.1\.value: found 25 twice in this list/,
  ],
  [
    'a monthly upsell without monthly gifts',
    { monthlyUpsell: true, frequencies: ['once'] },
    /monthlyUpsell: found true; expected true only if frequencies include once and monthly/,
  ],
  [
    'a goal with too many decimals',
    { projects: [{ id: '1', name: 'W', goal: { raised: '0.001', target: '5' } }] },
    new RegExp(
      String.raw`projects\.0\.goal\.raised: found "0\.001"; expected an amount in USD ` +
        'of at most 1000000000\\.00, with at most 2 decimal places',
    ),
  ],
  [
    'a goal with a target of 0',
    { projects: [{ id: '1', name: 'W', goal: { raised: '0', target: '0' } }] },
    /projects\.0\.goal\.target: found "0"; expected more than 0/,
  ],
  [
    'two consents with the same id',
    { consents: [consent, consent] },
    /forms\.0\.consents: found a list of length 2; expected each id only once, but entries 0 and 1 have the same id/,
  ],
  [
    'consent text with direction marks',
    { consents: [{ ...consent, text: { en: 'Yes', he: '\u200fכן' } }] },
    /consents\.0\.text\.he: found .*; expected text without control characters, direction marks/,
  ],
  [
    'consent text that is too long',
    { consents: [{ ...consent, text: 'x'.repeat(2_001) }] },
    /consents\.0\.text: /,
  ],
  [
    'a required hidden custom field',
    { customFields: [{ ...field, required: true }] },
    /customFields\.0\.label: found .*; expected a label, because a field without a label is hidden/,
  ],
  [
    'a hint for a hidden custom field',
    { customFields: [{ ...field, hint: 'x' }] },
    /customFields\.0\.label: found .*; expected a label/,
  ],
  [
    'a formatter that does not fit',
    { customFields: [{ ...list, formatter: 'ListCheckbox' }] },
    /customFields\.0\.formatter: found "ListCheckbox"; expected a formatter for List fields: None, Dropdown, ListRadio/,
  ],
  [
    'a list without options',
    { customFields: [{ ...list, options: undefined }] },
    /customFields\.0\.options: found .*; expected options for List/,
  ],
  [
    'options for a text field',
    { customFields: [{ ...field, options: ['A'] }] },
    /customFields\.0\.options: found .*; expected options for List/,
  ],
  [
    'options that differ only in case',
    { customFields: [{ ...list, options: ['A', { value: 'a', label: 'B' }] }] },
    /customFields\.0\.options: found .*; expected each value \(ignoring case\) only once/,
  ],
  [
    'an option without a label',
    { customFields: [{ ...list, options: [{ value: 'A' }] }] },
    /customFields\.0\.options\.0\.label: /,
  ],
  [
    'a comma in an option of a Multiselect',
    { customFields: [{ ...list, type: 'Multiselect', options: ['A, B'] }] },
    /customFields\.0\.options: found .*; expected values without commas/,
  ],
  [
    'custom texts in an unknown language',
    { texts: { xx: {} } },
    /forms\.0\.texts: found xx; expected one of en, en-GB, es, /,
  ],
  [
    'custom texts with an unknown name',
    { texts: { en: { donorr: 'You' } } },
    /forms\.0\.texts\.en: found "donorr"; expected a key listed in docs\/reference\/texts\.md/,
  ],
  [
    'custom texts with an unknown placeholder',
    { texts: { de: { give: '{gfit} geben' } } },
    /forms\.0\.texts\.de\.give: found \{gfit\}; expected only \{amount\}/,
  ],
  [
    'custom texts that are too long',
    { texts: { en: { give: 'x'.repeat(501) } } },
    /forms\.0\.texts\.en\.give: /,
  ],
] as const) {
  test(`rejects ${name} with the path and the expectation`, async () => {
    await assert.rejects(
      loadForm(change),
      (error: Error) =>
        (error.name === 'ConfigurationError' && problem.test(error.message)) ||
        assert.fail(error.message),
    );
  });
}

test('suggests corrections for nearly valid amounts, percentages, and origins', async () => {
  const amounts = [
    ['12,50', 'found "12,50"; expected 12.50, with a decimal point instead of a comma'],
    ['1,000', 'found "1,000"; expected 1000, with digits only'],
    ['1.250,5', 'found "1.250,5"; expected 1250.5, with digits and a decimal point only'],
    ['"25"', 'found "\\"25\\""; expected 25, with digits only'],
    ['$25', 'found "$25"; expected 25, with digits only'],
    ['-5', 'found "-5"; expected an amount such as 25 or 0.30'],
    ['', 'found an empty string; expected an amount such as 25 or 0.30'],
  ] as const;
  const percentages = [
    ['150', 'found "150"; expected at most 50 percent'],
    ['51', 'found "51"; expected at most 50 percent'],
    ['2,9', 'found "2,9"; expected 2.9, with a decimal point instead of a comma'],
    ['2.9%', 'found "2.9%"; expected 2.9, with digits and a decimal point only'],
    ['2.955', 'found "2.955"; expected a percentage such as 2.9, with at most two decimal places'],
  ] as const;
  const origins = [
    ['https://o.example/', 'expected https://o.example, without the trailing slash'],
    ['HTTPS://O.example', 'expected https://o.example, in lowercase'],
    [
      'https://o.example/give?a=1',
      'expected https://o.example, without a path, query, or fragment',
    ],
    ['https://ö.example', 'expected https://xn--nda.example, in the format that browsers send'],
    ['o.example', 'expected https://o.example, with https:// and without a path'],
    ['o.example/give', 'expected https://o.example, with https:// and without a path'],
    ['our site', 'expected only one origin in each list entry'],
    ['site', 'expected an origin that starts with https://, such as https://example.org'],
    ['https://', 'expected an origin such as https://example.org'],
    ['https://o.example, https://p.example', 'expected only one origin in each list entry'],
  ] as const;
  const listProblems = async (
    change: object,
    organization: Record<string, unknown> = {},
  ): Promise<string[]> =>
    loadForm(change, organization).then(
      () => [],
      (error: unknown) =>
        (error as Error).message
          .split('\n')
          .slice(0, -1)
          .map((line) => line.replace(/^[^:]*: [\w.]+: /, '')),
    );
  for (const [minimum, message] of amounts)
    assert.deepEqual(await listProblems({ currencies: [{ ...usd, minimum }] }), [message]);
  for (const [percent, message] of percentages)
    assert.deepEqual(
      await listProblems({ currencies: [{ ...usd, feeCover: { percent, fixed: '0' } }] }),
      [message],
    );
  for (const [origin, message] of origins)
    assert.deepEqual(await listProblems({}, { origins: [origin] }), [
      `found ${JSON.stringify(origin)}; ${message}`,
    ]);
});

test('reads the fee of each payment method', async () => {
  const feeCover = {
    percent: '2.9',
    fixed: '0.30',
    methods: { bank: { percent: '0.8', fixed: '0', maximum: '5' } },
  };
  const definition = (await loadForm({ currencies: [{ ...usd, feeCover }] }))('en');
  assert.deepEqual(definition.currencies[0].feeCover, {
    basisPoints: 290,
    fixed: 30,
    methods: { 1: { basisPoints: 80, fixed: 0, maximum: 500 } },
  });
  const loadFormWithMethods = (methods: object): Promise<unknown> =>
    loadForm({ currencies: [{ ...usd, feeCover: { ...feeCover, methods } }] });
  await assert.rejects(
    loadFormWithMethods({ paypal: { percent: '3', fixed: '0' } }),
    /feeCover\.methods: found paypal; expected one of card, bank, wallet/,
  );
  await assert.rejects(
    loadFormWithMethods({ bank: { percent: '0.8', fixed: '0', maximum: '0' } }),
    /feeCover\.methods\.bank\.maximum: found .*; expected an amount greater than 0/,
  );
});

test('accepts only known receipt senders', async () => {
  assert.equal(
    (await loadForm({}, { receiptSender: 'processor' }))('en').receiptSender,
    'processor',
  );
  await assert.rejects(
    loadForm({}, { receiptSender: 'us' }),
    /organizations\.0\.receiptSender: found "us"; .*/,
  );
});

test('leaves optional features off by default', async () => {
  const {
    monthlyUpsell,
    allowSplit,
    allowTribute,
    allowOrganizations,
    allowAnonymous,
    consents,
    receiptSender,
    texts,
    currencies,
    customFields,
  } = (await loadForm({ customFields: [list] }))('ja');
  assert.deepEqual(
    {
      monthlyUpsell,
      allowSplit,
      allowTribute,
      allowOrganizations,
      allowAnonymous,
      consents,
      receiptSender,
      texts,
    },
    {
      monthlyUpsell: false,
      allowSplit: false,
      allowTribute: false,
      allowOrganizations: false,
      allowAnonymous: false,
      consents: [],
      receiptSender: 'none',
      texts: {},
    },
  );
  assert.deepEqual(
    [currencies[0], customFields[0]],
    [
      { code: 'USD', decimals: 2, minimum: 500, maximum: 2_500_000, giftArray: [{ value: 2_500 }] },
      {
        id: 'l',
        type: 4,
        formatter: 0,
        required: false,
        options: [
          { value: 'A', label: 'A' },
          { value: 'B', label: 'B' },
        ],
      },
    ],
  );
});

test('converts gift arrays per frequency and goals to minor units of their currency', async () => {
  const yen = {
    code: 'JPY',
    minimum: '500',
    maximum: '900000',
    giftArray: [],
    giftArrays: { monthly: [{ value: '1000', displayValue: '¥1k', isDefault: true }] },
  };
  const {
    currencies: [{ giftArrays }],
    projects: [{ goal }],
  } = (
    await loadForm({
      currencies: [yen, usd],
      projects: [{ id: '1', name: 'W', goal: { raised: '0', target: '250000' } }],
    })
  )('en');
  assert.deepEqual(
    [giftArrays, goal],
    [
      { monthly: [{ value: 1_000, displayValue: '¥1k', isDefault: true }] },
      { raised: 0, target: 250_000 },
    ],
  );
});

test('localizes configured text, falling back to English and then to the first language', async () => {
  const both = { de: 'Brunnen', en: 'Wells' };
  const neither = { fr: 'Puits', de: 'Brunnen' };
  const inLanguage = await loadForm({
    currencies: [
      { ...usd, giftArray: [{ value: '25', description: both, displayValue: neither }] },
    ],
    projects: [
      { id: '1', name: both },
      { id: '2', name: neither },
      { id: '3', name: 'Zisternen' },
    ],
    consents: [{ ...consent, text: both, required: true }],
    customFields: [
      {
        ...list,
        label: both,
        hint: both,
        formatter: 'ListRadio',
        required: true,
        options: ['A', { value: 'B', label: both }],
      },
    ],
  });
  for (const [language, first, second] of [
    ['de', 'Brunnen', 'Brunnen'],
    ['en', 'Wells', 'Puits'],
    ['ja', 'Wells', 'Puits'],
  ] as const) {
    const {
      projects,
      currencies: [{ giftArray }],
      consents,
      customFields,
    } = inLanguage(language);
    assert.deepEqual(
      [projects.map(({ name }) => name), giftArray, consents, customFields],
      [
        [first, second, 'Zisternen'],
        [{ value: 2_500, description: first, displayValue: second }],
        [{ id: 'news', text: first, required: true }],
        [
          {
            id: 'l',
            type: 4,
            formatter: 6,
            required: true,
            label: first,
            hint: first,
            options: [
              { value: 'A', label: 'A' },
              { value: 'B', label: first },
            ],
          },
        ],
      ],
      language,
    );
  }
});

test('applies custom texts only to their language', async () => {
  const inLanguage = await loadForm({ texts: { en: { give: 'Send water' } } });
  assert.deepEqual([inLanguage('en').texts, inLanguage('de').texts], [{ give: 'Send water' }, {}]);
});

test('applies custom American texts to en-GB, unless it has its own', async () => {
  const inLanguage = await loadForm({
    texts: { en: { give: 'Send water', donor: 'About you' }, 'en-GB': { donor: 'Your details' } },
  });
  assert.deepEqual(
    [inLanguage('en').texts, inLanguage('en-GB').texts],
    [
      { give: 'Send water', donor: 'About you' },
      { give: 'Send water', donor: 'Your details' },
    ],
  );
});

test('configures a default form, a full form, and a form with many projects in the demo', async () => {
  const [[main, whole, many]] = buildForms(
    await loadConfiguration('demo/donation-form.config.json'),
  ) as [ReturnType<typeof buildForms>[0]];
  assert.deepEqual(
    [main, whole, many].map((offered) => offered?.en.definition.id),
    ['main', 'full', 'many'],
  );
  const parseDefinition = (language: Language): FormDefinition =>
    formDefinition.parse(whole![language].definition);
  const { customFields, frequencies, currencies } = parseDefinition('en');
  assert.deepEqual(
    [
      customFields.map(({ type }) => type).sort(),
      frequencies.length,
      currencies.map(({ code }) => code),
      many?.en.definition.projects.length,
    ],
    [[0, 1, 2, 3, 4, 5, 6, 7, 8], 7, ['USD', 'EUR', 'JPY'], 24],
  );
  for (const language of ['de', 'ar'] as const) {
    const own = parseDefinition(language);
    for (const [index, { text }] of parseDefinition('en').consents.entries())
      assert.notEqual(own.consents[index]?.text, text);
    for (const [index, { label }] of customFields.entries())
      assert.notEqual(own.customFields[index]?.label, label);
  }
});

for (const [name, payments, problem] of [
  [
    'live and test payment providers together',
    [stripe, testPaypal],
    /organizations\.0\.payments: found stripe in live mode and paypal in test mode/,
  ],
  [
    'Stripe without a webhook secret, on a form with recurring gifts',
    [{ ...stripe, webhookSecret: undefined }],
    /payments\.0\.webhookSecret: found nothing; expected a signing secret\. The main form offers recurring/,
  ],
  [
    "methods that do not support the form's currency",
    [{ ...stripe, methods: ['sepa_debit'] }],
    /payments\.0\.methods: found sepa_debit; expected at least one method that supports USD/,
  ],
  [
    'instructions without the reference',
    [{ ...offline, instructions: 'Send it.' }],
    /payments\.0\.instructions: found text without \{reference\}/,
  ],
  [
    'instructions with an unknown placeholder',
    [{ ...offline, instructions: 'Send {Total}, {reference}.' }],
    /payments\.0\.instructions: found \{Total\}/,
  ],
  [
    'a duplicate provider',
    [stripe, stripe],
    /payments: found .*; expected each provider only once/,
  ],
  [
    'an unknown provider',
    [{ provider: 'giropay' }],
    /payments\.0\.provider: found "giropay"; expected stripe, paypal, offline/,
  ],
] as const) {
  test(`rejects ${name}`, async () => {
    await assert.rejects(loadForm({}, { payments }), problem);
  });
}

test('rejects methods that cannot be renewed, on a form with recurring gifts', async () => {
  const payments = [{ ...stripe, methods: ['swish', 'mobilepay'] }];
  const form = { currencies: [{ ...usd, code: 'SEK' }] };
  await assert.rejects(
    loadForm({ ...form, frequencies: ['once', 'monthly'] }, { payments }),
    /methods: found swish, mobilepay; expected at least one method that supports recurring donations in SEK/,
  );
  await loadForm({ ...form, frequencies: ['once'] }, { payments });
});

test('marks a form as a test if and only if its provider is a test provider', async () => {
  for (const [payments, isTest] of [
    [[testStripe], true],
    [[testStripe, offline], true],
    [[testPaypal], true],
    [[stripe], false],
    [[stripe, offline], false],
    [[offline], false],
  ] as const) {
    assert.equal((await loadForm({}, { payments }))('en').isTest, isTest, JSON.stringify(payments));
  }
});

test('passes the URL of the script that stands in for Stripe.js to the form, which remains a test', async () => {
  const scriptUrl = 'http://127.0.0.1:4102/stripe.js';
  const { isTest, payments } = (await loadForm({}, { payments: [{ ...testStripe, scriptUrl }] }))(
    'en',
  );
  assert.equal(isTest, true);
  assert.deepEqual(payments[0].options, { publicKey: 'pk_test_1', methods: 'card', scriptUrl });
});

test('rejects Stripe keys of the wrong kind or mode without revealing them', () => {
  const keys = { secretKey: 'sk_live_canary', webhookSecret: 'whsec_canary' };
  const createKeyCheck = (change: object) => () => {
    assertStripeKeysMatch(
      { ...stripe, methods: ['card'] } as never,
      { ...keys, ...change },
      'payments.0',
    );
  };
  assert.doesNotThrow(createKeyCheck({}));
  for (const change of [
    { secretKey: 'sk_test_canary' },
    { secretKey: 'pk_live_canary' },
    { webhookSecret: 'sk_live_canary' },
  ]) {
    assert.throws(
      createKeyCheck(change),
      (error: Error) =>
        /payments\.0\.(secretKey|webhookSecret): found .*; expected one that starts with/.test(
          error.message,
        ) && !error.message.includes('canary'),
    );
  }
});

test('rejects invalid time zones and retention periods', async () => {
  for (const [organization, problem] of [
    [
      { timeZone: 'Berlin' },
      /organizations\.0\.timeZone: found "Berlin"; expected an IANA time zone, such as Europe\/Berlin/,
    ],
    [{ timeZone: '+01:00' }, /timeZone: found .*; expected an IANA time zone/],
    [{ retention: { donorDataDays: 0 } }, /retention\.donorDataDays: found 0; .*/],
    [{ retention: { days: 30 } }, /retention/],
  ] as const)
    await assert.rejects(loadForm({}, organization), problem, JSON.stringify(organization));
  await loadForm(
    {},
    { timeZone: 'America/Argentina/Buenos_Aires', retention: { donorDataDays: 30 } },
  );
});
