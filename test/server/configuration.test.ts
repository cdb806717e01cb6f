import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { formDefinition, type FormDefinition } from '../../src/core/schemas/form-definition.ts';
import type { Language } from '../../src/core/i18n/language.ts';
import { formsOf, loadConfiguration } from '../../src/server/config/load-configuration.ts';
import { checkStripeKeys } from '../../src/server/payments/check.ts';

const usd = { code: 'USD', minimum: '5', maximum: '25000', giftArray: [{ value: '25' }] };
const form = {
  id: 'main',
  currencies: [usd],
  frequencies: ['once', 'monthly'],
  projects: [{ id: '1', name: 'Wells' }],
  donorFields: { email: 'required' },
};
const consent = { id: 'news', words: 'Write to me' };
const field = { id: 'f', type: 'Text' };
const list = { id: 'l', type: 'List', options: ['A', 'B'] };

const sandbox = {
  provider: 'sandbox',
  baseUrl: 'http://127.0.0.1:1',
  publicKey: 'p',
  secretKey: { env: 'P' },
};
const stripe = {
  provider: 'stripe',
  publicKey: 'pk_live_1',
  secretKey: { env: 'S' },
  webhookSecret: { env: 'W' },
};
const offline = {
  provider: 'offline',
  label: 'Transfer',
  about: 'Later.',
  instructions: 'Write {reference}.',
};

/**
 * The definitions of a form that is configured as given, or what a server says that refuses to
 * start with it.
 */
async function read(
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
      store: 's',
      organizations: [
        {
          id: 'o',
          name: 'O',
          contact: 'o@example.org',
          origins: ['https://o.example'],
          ...organization,
          forms: [{ ...form, ...change }],
          payments: payments ?? [sandbox],
          recorder: { kind: 'sandbox', baseUrl: 'http://127.0.0.1:1', apiKey: { env: 'K' } },
        },
      ],
    }),
  );
  try {
    const [[offered]] = formsOf(await loadConfiguration(file)) as [
      [ReturnType<typeof formsOf>[0][0]],
    ];
    return (language) => formDefinition.parse(offered[language].definition);
  } finally {
    await rm(folder, { recursive: true });
  }
}

for (const [name, change, problem] of [
  [
    'no words',
    { projects: [{ id: '1', name: '' }] },
    /projects\.0\.name: expected something written here; found an empty text/,
  ],
  [
    'words that are no text',
    { projects: [{ id: '1', name: 7 }] },
    /projects\.0\.name: expected a text that is not empty, or texts by language such as .*; found 7/,
  ],
  [
    'words in no language',
    { projects: [{ id: '1', name: {} }] },
    /projects\.0\.name: expected words in at least one language/,
  ],
  [
    'words in an unknown language',
    { projects: [{ id: '1', name: { en: 'Wells', tlh: 'QIb' } }] },
    /projects\.0\.name: found tlh, expected en, es, /,
  ],
  [
    'empty words in a language',
    { projects: [{ id: '1', name: { de: '' } }] },
    /projects\.0\.name\.de: .*; found an empty text/,
  ],
  [
    'gift arrays of a frequency that the form does not offer',
    { currencies: [{ ...usd, giftArrays: { weekly: [] } }] },
    /giftArrays\.weekly: expected only frequencies that the form offers: once, monthly; found "weekly"/,
  ],
  [
    'a gift array with an amount over the maximum',
    { currencies: [{ ...usd, giftArrays: { monthly: [{ value: '25001' }] } }] },
    /forms\.0\.currencies\.0\.giftArrays\.monthly\.0\.value: found 25001, expected an amount from 5 to 25000/,
  ],
  [
    'two gifts of one amount',
    { currencies: [{ ...usd, giftArray: [{ value: '25' }, { value: '30' }, { value: '25.00' }] }] },
    /giftArray\.2\.value: found 25\.00 twice in this list, expected each amount once/,
  ],
  [
    'two gifts of one amount for a frequency',
    { currencies: [{ ...usd, giftArrays: { monthly: [{ value: '25' }, { value: '25' }] } }] },
    /giftArrays\.monthly\.1\.value: found 25 twice in this list/,
  ],
  [
    'a monthly suggestion without monthly gifts',
    { monthlyUpsell: true, frequencies: ['once'] },
    /monthlyUpsell: expected true only where frequencies have once and monthly; found true/,
  ],
  [
    'a goal with too many decimals',
    { projects: [{ id: '1', name: 'W', goal: { raised: '0.001', target: '5' } }] },
    /projects\.0\.goal\.raised: found "0\.001", expected an amount in USD with 2 decimals at most/,
  ],
  [
    'a goal of nothing',
    { projects: [{ id: '1', name: 'W', goal: { raised: '0', target: '0' } }] },
    /projects\.0\.goal\.target: found "0", expected more than 0/,
  ],
  [
    'two consents of one id',
    { consents: [consent, consent] },
    /forms\.0\.consents: expected each id once, and entry 1 has that of entry 0; found a list of 2/,
  ],
  [
    'consent words that could never be sent back',
    { consents: [{ ...consent, words: { en: 'Yes', he: '\u200fכן' } }] },
    /consents\.0\.words\.he: expected a text without control characters, direction marks/,
  ],
  [
    'consent words that are too long',
    { consents: [{ ...consent, words: 'x'.repeat(2_001) }] },
    /consents\.0\.words: /,
  ],
  [
    'a required custom field that is not shown',
    { customFields: [{ ...field, required: true }] },
    /customFields\.0\.label: expected a label, since a field without one is not shown/,
  ],
  [
    'a hint of a custom field that is not shown',
    { customFields: [{ ...field, hint: 'x' }] },
    /customFields\.0\.label: expected a label/,
  ],
  [
    'a formatter that does not fit',
    { customFields: [{ ...list, formatter: 'ListCheckbox' }] },
    /customFields\.0\.formatter: expected one that fits a List: None, Dropdown, ListRadio; found "ListCheckbox"/,
  ],
  [
    'a list without options',
    { customFields: [{ ...list, options: undefined }] },
    /customFields\.0\.options: expected options with a List/,
  ],
  [
    'options of a text',
    { customFields: [{ ...field, options: ['A'] }] },
    /customFields\.0\.options: expected options with a List/,
  ],
  [
    'options that differ in case only',
    { customFields: [{ ...list, options: ['A', { value: 'a', label: 'B' }] }] },
    /customFields\.0\.options: expected each value, in whatever case, once/,
  ],
  [
    'an option without a label',
    { customFields: [{ ...list, options: [{ value: 'A' }] }] },
    /customFields\.0\.options\.0\.label: /,
  ],
  [
    'a comma in an option of a Multiselect',
    { customFields: [{ ...list, type: 'Multiselect', options: ['A, B'] }] },
    /customFields\.0\.options: expected values without commas/,
  ],
  [
    'own texts in an unknown language',
    { texts: { xx: {} } },
    /forms\.0\.texts: found xx, expected en, es, /,
  ],
  [
    'own texts by a name that no text has',
    { texts: { en: { donorr: 'You' } } },
    /forms\.0\.texts\.en: found "donorr", expected the name of a text; docs\/texts\.md/,
  ],
  [
    'own texts that fill in what nobody gives',
    { texts: { de: { give: '{gfit} geben' } } },
    /forms\.0\.texts\.de\.give: found \{gfit\}, expected only \{gift\}/,
  ],
  [
    'own texts that are too long',
    { texts: { en: { give: 'x'.repeat(501) } } },
    /forms\.0\.texts\.en\.give: /,
  ],
] as const) {
  test(`${name}: the server does not start, and says where and what is expected`, async () => {
    await assert.rejects(
      read(change),
      (error: Error) =>
        (error.name === 'ConfigurationError' && problem.test(error.message)) ||
        assert.fail(error.message),
    );
  });
}

test('an amount, a percentage and an origin that are nearly right are answered with the right ones, and with what was wrong', async () => {
  const amounts = [
    ['12,50', 'expected 12.50, with a point in the place of the comma; found "12,50"'],
    ['1,000', 'expected 1000, in digits alone; found "1,000"'],
    ['1.250,5', 'expected 1250.5, in digits with a point before the decimals; found "1.250,5"'],
    ['"25"', 'expected 25, in digits alone; found "\\"25\\""'],
    ['$25', 'expected 25, in digits alone; found "$25"'],
    ['-5', 'expected an amount such as 25 or 0.30; found "-5"'],
    ['', 'expected an amount such as 25 or 0.30; found an empty text'],
  ] as const;
  const percentages = [
    ['150', 'expected 50 percent at most; found "150"'],
    ['51', 'expected 50 percent at most; found "51"'],
    ['2,9', 'expected 2.9, with a point in the place of the comma; found "2,9"'],
    ['2.9%', 'expected 2.9, in digits with a point before the decimals; found "2.9%"'],
    ['2.955', 'expected a percentage such as 2.9, with two decimals at most; found "2.955"'],
  ] as const;
  const origins = [
    ['https://o.example/', 'expected https://o.example, without the slash at its end'],
    ['HTTPS://O.example', 'expected https://o.example, in small letters'],
    ['https://o.example/give?a=1', 'expected https://o.example, without anything behind it'],
    ['https://ö.example', 'expected https://xn--nda.example, as browsers write it'],
    ['o.example', 'expected https:// at its beginning, such as https://example.org'],
    ['https://', 'expected an origin such as https://example.org'],
    [
      'https://o.example, https://p.example',
      'expected one site alone, and every other as an entry (a line) of its own',
    ],
  ] as const;
  const linesOf = async (
    change: object,
    organization: Record<string, unknown> = {},
  ): Promise<string[]> =>
    read(change, organization).then(
      () => [],
      (error: unknown) =>
        (error as Error).message
          .split('\n')
          .slice(0, -1)
          .map((line) => line.replace(/^[^:]*: [\w.]+: /, '')),
    );
  for (const [minimum, words] of amounts)
    assert.deepEqual(await linesOf({ currencies: [{ ...usd, minimum }] }), [words]);
  for (const [percent, words] of percentages)
    assert.deepEqual(await linesOf({ currencies: [{ ...usd, costs: { percent, fixed: '0' } }] }), [
      words,
    ]);
  for (const [origin, words] of origins)
    assert.deepEqual(await linesOf({}, { origins: [origin] }), [
      `${words}; found ${JSON.stringify(origin)}`,
    ]);
});

test("receipts are the platform's, the processor's or none", async () => {
  assert.equal((await read({}, { receipts: 'processor' }))('en').receipts, 'processor');
  await assert.rejects(read({}, { receipts: 'us' }), /organizations\.0\.receipts: .*; found "us"/);
});

test('a form that says nothing of it asks for nothing more than before', async () => {
  const {
    monthlyUpsell,
    allowSplit,
    allowTribute,
    allowOrganizations,
    allowAnonymous,
    consents,
    receipts,
    texts,
    currencies,
    customFields,
  } = (await read({ customFields: [list] }))('ja');
  assert.deepEqual(
    {
      monthlyUpsell,
      allowSplit,
      allowTribute,
      allowOrganizations,
      allowAnonymous,
      consents,
      receipts,
      texts,
    },
    {
      monthlyUpsell: false,
      allowSplit: false,
      allowTribute: false,
      allowOrganizations: false,
      allowAnonymous: false,
      consents: [],
      receipts: 'none',
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

test('gift arrays of single frequencies and goals are read in minor units of their currency', async () => {
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
    await read({
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

test("the operator's words are given in the language asked for, else in English, else in the first that there is", async () => {
  const both = { de: 'Brunnen', en: 'Wells' };
  const neither = { fr: 'Puits', de: 'Brunnen' };
  const inLanguage = await read({
    currencies: [
      { ...usd, giftArray: [{ value: '25', description: both, displayValue: neither }] },
    ],
    projects: [
      { id: '1', name: both },
      { id: '2', name: neither },
      { id: '3', name: 'Zisternen' },
    ],
    consents: [{ ...consent, words: both, required: true }],
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
        [{ id: 'news', words: first, required: true }],
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

test('own texts count in their language only: the form speaks the others itself', async () => {
  const inLanguage = await read({ texts: { en: { give: 'Send water' } } });
  assert.deepEqual([inLanguage('en').texts, inLanguage('de').texts], [{ give: 'Send water' }, {}]);
});

test('the demo offers its usual form, one with everything, and one with many projects', async () => {
  const [[main, whole, many]] = formsOf(
    await loadConfiguration('demo/donation-form.config.json'),
  ) as [ReturnType<typeof formsOf>[0]];
  assert.deepEqual(
    [main, whole, many].map((offered) => offered?.en.definition.id),
    ['main', 'whole', 'many'],
  );
  const inLanguage = (language: Language): FormDefinition =>
    formDefinition.parse(whole![language].definition);
  const { customFields, frequencies, currencies } = inLanguage('en');
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
    const own = inLanguage(language);
    for (const [index, { words }] of inLanguage('en').consents.entries())
      assert.notEqual(own.consents[index]?.words, words);
    for (const [index, { label }] of customFields.entries())
      assert.notEqual(own.customFields[index]?.label, label);
  }
});

for (const [name, payments, problem] of [
  [
    'a way to pay that moves money beside one that does not',
    [stripe, sandbox],
    /organizations\.0\.payments: found stripe, which moves money, beside sandbox/,
  ],
  [
    'Stripe without a webhook secret, on a form with recurring gifts',
    [{ ...stripe, webhookSecret: undefined }],
    /payments\.0\.webhookSecret: found nothing, expected one, since the form main offers recurring gifts/,
  ],
  [
    "methods that do not take the form's currency",
    [{ ...stripe, methods: ['sepa_debit'] }],
    /payments\.0\.methods: found sepa_debit, expected one that takes USD/,
  ],
  [
    'instructions without the reference',
    [{ ...offline, instructions: 'Send it.' }],
    /payments\.0\.instructions: found a text without \{reference\}/,
  ],
  [
    'instructions with another name',
    [{ ...offline, instructions: 'Send {Total}, {reference}.' }],
    /payments\.0\.instructions: found \{Total\}/,
  ],
  ['one provider twice', [sandbox, sandbox], /payments: expected each provider once/],
  [
    'no provider of these',
    [{ provider: 'paypal' }],
    /payments\.0\.provider: found "paypal", expected sandbox, stripe, offline/,
  ],
] as const) {
  test(`${name}: the start is refused, with the place and what to do`, async () => {
    await assert.rejects(read({}, { payments }), problem);
  });
}

test('a form says that no money moves with every test provider, and with no other', async () => {
  for (const [payments, isTest] of [
    [[sandbox], true],
    [[sandbox, offline], true],
    [[{ ...stripe, publicKey: 'pk_test_1' }], true],
    [[stripe], false],
    [[stripe, offline], false],
    [[offline], false],
  ] as const) {
    assert.equal((await read({}, { payments }))('en').isTest, isTest, JSON.stringify(payments));
  }
});

test("Stripe's keys have to be of their kind and of one mode, and none is repeated", () => {
  const keys = { secretKey: 'sk_live_canary', webhookSecret: 'whsec_canary' };
  const check = (change: object) => () => {
    checkStripeKeys(
      { ...stripe, methods: ['card'] } as never,
      { ...keys, ...change },
      'payments.0',
    );
  };
  assert.doesNotThrow(check({}));
  for (const change of [
    { secretKey: 'sk_test_canary' },
    { secretKey: 'pk_live_canary' },
    { webhookSecret: 'sk_live_canary' },
  ]) {
    assert.throws(
      check(change),
      (error: Error) =>
        /payments\.0\.(secretKey|webhookSecret): found .* where it points to, expected one that begins with/.test(
          error.message,
        ) && !error.message.includes('canary'),
    );
  }
});

test("a time zone, a number of days and a list of the platform's are named where they are none", async () => {
  for (const [organization, problem] of [
    [
      { timeZone: 'Berlin' },
      /organizations\.0\.timeZone: expected a time zone of the IANA list, such as Europe\/Berlin; found "Berlin"/,
    ],
    [{ timeZone: '+01:00' }, /timeZone: expected a time zone/],
    [{ retention: { donorDataDays: 0 } }, /retention\.donorDataDays: .*; found 0/],
    [{ retention: { days: 30 } }, /retention/],
  ] as const)
    await assert.rejects(read({}, organization), problem, JSON.stringify(organization));
  await read({}, { timeZone: 'America/Argentina/Buenos_Aires', retention: { donorDataDays: 30 } });
});
