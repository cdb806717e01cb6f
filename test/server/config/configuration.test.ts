import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Language } from '../../../src/core/i18n/languages.ts';
import type { FormDefinition } from '../../../src/core/schemas/form-definition.ts';
import { loadConfiguration } from '../../../src/server/config/load-configuration.ts';
import { buildForms } from '../../../src/server/config/validate-configuration.ts';
import { assertStripeKeysMatch } from '../../../src/server/payments/stripe/stripe-provider.ts';
import { formDefinition } from '../../response-schemas.ts';
import {
  changeOrganization,
  consent,
  form,
  list,
  liveStripe,
  offline,
  paypal,
  stripe,
  usd,
  writeConfiguration,
} from './support.ts';

/** Loads a configuration with the given changes and returns its form definition by language. */
async function loadForm(
  change: object,
  organization: object = {},
): Promise<(language: Language) => FormDefinition> {
  const configuration = changeOrganization({ ...organization, forms: [{ ...form, ...change }] });
  const file = await writeConfiguration(JSON.stringify(configuration));
  const [[offered]] = buildForms(await loadConfiguration(file)) as [
    [ReturnType<typeof buildForms>[0][0]],
  ];
  return (language) => formDefinition.parse(offered[language].definition);
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
});

test('passes the configured sender of receipts to the form', async () => {
  const definition = (await loadForm({}, { receiptSender: 'processor' }))('en');
  assert.equal(definition.receiptSender, 'processor');
});

test('promises mail to the person that a tribute names only if the server sends mail', async () => {
  const mail = { host: 'smtp.example.org', from: 'give@example.org' };
  const read = async (form: object, organization: object) =>
    (await loadForm(form, organization))('en').sendsTributeMail;
  assert.equal(await read({ allowTribute: true }, { mail }), true);
  assert.equal(await read({ allowTribute: true }, {}), undefined);
  assert.equal(await read({}, { mail }), undefined);
});

test('leaves optional features off by default', async () => {
  const {
    currencies: [currency],
    customFields: [field],
    ...definition
  } = (await loadForm({ customFields: [list] }))('ja');
  assert.partialDeepStrictEqual(definition, {
    monthlyUpsell: false,
    allowSplit: false,
    allowTribute: false,
    allowOrganizations: false,
    allowAnonymous: false,
    receiptSender: 'none',
  });
  assert.deepEqual([definition.consents, definition.texts], [[], {}]);
  assert.deepEqual(
    [currency, field],
    [
      { code: 'USD', decimals: 2, minimum: 500, maximum: 2_500_000, giftArray: [{ value: 2_500 }] },
      {
        id: 'l',
        type: 4,
        formatter: 0,
        required: false,
        options: ['A', 'B'].map((value) => ({ value, label: value })),
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

test('applies custom texts only to their language, and American ones to en-GB, unless it has its own', async () => {
  const inLanguage = await loadForm({
    texts: { en: { give: 'Send water', donor: 'About you' }, 'en-GB': { donor: 'Your details' } },
  });
  assert.deepEqual(
    (['en', 'en-GB', 'de'] as const).map((language) => inLanguage(language).texts),
    [{ give: 'Send water', donor: 'About you' }, { give: 'Send water', donor: 'Your details' }, {}],
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

test('marks a form as a test if and only if its provider is a test provider', async () => {
  for (const [payments, isTest] of [
    [[stripe], true],
    [[stripe, offline], true],
    [[paypal], true],
    [[liveStripe], false],
    [[liveStripe, offline], false],
    [[offline], false],
  ] as const) {
    assert.equal((await loadForm({}, { payments }))('en').isTest, isTest, JSON.stringify(payments));
  }
});

test('passes the URL of the script that stands in for Stripe.js to the form, which remains a test', async () => {
  const scriptUrl = 'http://127.0.0.1:4102/stripe.js';
  const { isTest, payments } = (await loadForm({}, { payments: [{ ...stripe, scriptUrl }] }))('en');
  assert.equal(isTest, true);
  assert.deepEqual(payments[0].options, { publicKey: 'pk_test_1', methods: 'card', scriptUrl });
});

test('rejects Stripe keys of the wrong kind or mode without revealing them', () => {
  const keys = { secretKey: 'sk_live_canary', webhookSecret: 'whsec_canary' };
  const createKeyCheck = (change: object) => () => {
    assertStripeKeysMatch(
      { ...liveStripe, methods: ['card'] } as never,
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
