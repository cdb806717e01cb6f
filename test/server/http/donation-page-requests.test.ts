import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CustomFieldDataType } from '../../../src/core/donor/index.ts';
import {
  calculateTotals,
  createFormState,
  getInitialOptionalValues,
  toDonationRequest,
  toOptionalRequestFields,
} from '../../../src/core/form-state/index.ts';
import type { FormDefinition } from '../../../src/core/schemas/form-definition.ts';
import { readUrlAndLanding, resolveSettings } from '../../../src/core/settings/index.ts';
import { hashSha256 } from '../../../src/server/lib/hash.ts';
import { exampleForm } from '../../example-form.ts';
import { startServer } from '../support.ts';
import { donor, openPage, submitPage } from './donation-page-support.ts';

const [usd, jpy] = exampleForm.currencies;

/** Forms that differ in what a URL can set. */
const FORMS: readonly FormDefinition[] = [
  exampleForm,
  {
    ...exampleForm,
    allowCustomAmount: false,
    allowComment: false,
    frequencies: ['monthly', 'once'],
    currencies: [
      { ...usd, giftArrays: { monthly: [{ value: 1_000, isDefault: true }, { value: 2_000 }] } },
      jpy!,
    ],
  },
  {
    ...exampleForm,
    allowTribute: true,
    allowAnonymous: true,
    allowOrganizations: true,
    allowUnlistedCustomFields: true,
    customFields: [
      {
        id: '12',
        type: CustomFieldDataType.Multiselect,
        formatter: 0,
        label: 'Topics',
        required: false,
        options: [
          { value: 'Water', label: 'Water' },
          { value: 'Trees', label: 'Trees' },
        ],
      },
      { id: '13', type: CustomFieldDataType.Decimal, formatter: 0, label: 'Size', required: false },
      { id: '14', type: CustomFieldDataType.Text, formatter: 0, required: false },
    ],
  },
];

/** Valid, invalid, hostile, and empty values. XXX is ISO 4217's code for "no currency". */
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  amt: ['75', '25.5', '1,000', '0', '33', '*|AMT|*', ''],
  Amount: ['50', '1000000000'],
  'array-amounts': ['10,20,30', '[5, 5, x]', ''],
  frequency: ['Monthly', 'once', 'yearly', 'never'],
  currencyCode: ['jpy', 'USD', 'XXX'],
  firstName: ['Ada', '<b>"&\'', 'x'.repeat(101)],
  email: ['a+b@example.org', 'wrong'],
  comment: ['Hello\nworld', ' spaces  inside ', '</textarea><script>'],
  src: ['MAIL26', 'é b', 'x'.repeat(101)],
  projectCode: ['WATER', 'NONE'],
  projectCodePreselect: ['WATER', '1'],
  utm_source: ['mail', ''],
  gclid: ['abc'],
  'field.12': ['Water', 'Water,Trees', 'Fire'],
  'field.13': ['12.5', 'x'],
  'field.14': ['hidden'],
  'field.99': ['unlisted'],
  tribute: ['honor', 'nobody'],
  'tribute-name': ['Ada "Countess" <Lovelace>'],
};

const search = fc
  .uniqueArray(fc.constantFrom(...Object.keys(PARAMETERS)), { maxLength: 8 })
  .chain((names) =>
    fc.tuple(
      ...names.map((name) => fc.constantFrom(...PARAMETERS[name]!).map((value) => [name, value])),
    ),
  )
  .map((pairs) => `?${new URLSearchParams(pairs as [string, string][])}`);

/** Creates the request that the element sends: see `FormSession` and `SubmissionController`. */
function createElementRequest(definition: FormDefinition, query: string) {
  const candidates = readUrlAndLanding(query, [], []);
  const { settings } = resolveSettings(definition, candidates);
  const context = {
    definition,
    settings,
    decimalSeparator: '.',
    initialOptionalValues: getInitialOptionalValues(definition, settings, '.'),
  };
  const state = createFormState(context, { donor });
  const totals = calculateTotals(state, context);
  return (
    totals &&
    toDonationRequest(state, totals, context, {
      optionalSettings: settings,
      optionalFields: toOptionalRequestFields(state, context, totals.amount),
      definition: '',
      language: 'en',
      page: new URL('https://lanternwell.example/donate'),
    })
  );
}

test('sends the same request with and without JavaScript (90 URLs and 3 forms)', async () => {
  for (const form of FORMS) {
    await using server = await startServer({ form });
    let address = 0;
    await fc.assert(
      fc.asyncProperty(search, async (query) => {
        const expected = createElementRequest(form, query);
        address += 1;
        const page = await openPage(server, query);
        const { tribute } = expected?.gift ?? {};
        const submitted = await submitPage(
          server,
          page,
          { ...donor, email: `${address}@example.org` },
          { address: `203.0.${address >> 8}.${address & 255}` },
        );
        if (!expected || tribute?.name === '') {
          assert.equal(submitted.response.status, 422);
          return;
        }
        assert.equal(submitted.response.status, 303, `${query}\n${submitted.html}`);
        const key = page.values.find(([name]) => name === 'key')![1];
        const { payload } = (await server.repository.findByKeyHash(hashSha256(key)))!;
        const { gift, customFields, tracking, form: formFields } = payload;
        const { gift: g, customFields: f, tracking: t, form: d } = expected;
        assert.deepEqual(
          toPlain({ gift, customFields, tracking, form: formFields }),
          toPlain({ gift: g, customFields: f, tracking: t, form: d }),
        );
        assert.equal(payload.donor.firstName, expected.donor.firstName);
      }),
      { numRuns: 30 },
    );
  }
});

/** Removes absent values, which a stored donation does not have. */
const toPlain = (value: object): unknown => JSON.parse(JSON.stringify(value));
