import { z } from 'zod';
import { DONATION_FREQUENCIES } from '../donation/frequency.ts';
import { IMPACT_DRAWINGS } from '../donation/impact-drawing.ts';
import {
  CustomFieldDataFormatter,
  CustomFieldDataType,
  MAX_CUSTOM_FIELDS,
  MAX_CUSTOM_VALUE_LENGTH,
} from '../donor/custom-field.ts';
import {
  DONOR_FIELDS,
  MAX_CODE_LENGTH,
  MAX_CONSENT_LENGTH,
  MAX_CONSENTS,
  MAX_SPLITS,
} from '../donor/donor.ts';
import { LANGUAGES } from '../i18n/languages.ts';
import { isKnownParameter, URL_PARAMETERS, type UrlSetting } from '../settings/from-url.ts';
import { isPersonalParameter } from '../settings/personal-parameter.ts';
import { isProviderParameter } from '../url/return-url.ts';
import { describeExpectedPercent } from './configuration-hints.ts';
import {
  amount,
  createErrorOptions,
  createExpectation,
  createLine,
  createLocalizedText,
  currencyCode,
  id,
  localizedLine,
  type LocalizedText,
  localizedText,
  nonEmptyArray,
  recordWithKeys,
  requireUnique,
} from './configuration-values.ts';
import { PAYMENT_METHODS } from './payment-configuration.ts';
import { lineSchema, textSchema } from './text.ts';

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
    drawing: z.enum(IMPACT_DRAWINGS).optional().describe('drawing beside the description'),
    displayValue: localizedLine.optional(),
    isDefault: z.boolean().optional(),
  }),
);

const feeRate = z.strictObject({
  percent: percent.describe('percentage of the total charged'),
  fixed: amount.describe('fixed amount per payment, in addition to the percentage'),
  maximum: amount
    .refine(
      (text) => Number(text) > 0,
      'expected an amount greater than 0; for a payment method without fees, set percent and fixed to 0',
    )
    .optional()
    .describe('maximum fee; if absent, the fee has no upper limit'),
});

const currency = z.strictObject({
  code: currencyCode,
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
          'fee rates for individual payment methods; for a method without fees, set percent and fixed to 0',
        ),
      projectId: lineSchema(MAX_CODE_LENGTH)
        .min(1)
        .optional()
        .describe(
          'ID of the project that receives covered fees; if absent, no project receives them',
        ),
    })
    .optional()
    .describe('transaction fee that donors can cover; offline payments have no fee'),
});

const project = z.strictObject({
  id: lineSchema(MAX_CODE_LENGTH).min(1),
  code: lineSchema(MAX_CODE_LENGTH).min(1).optional(),
  name: localizedLine,
  goal: z
    .strictObject({ raised: amount, target: amount })
    .optional()
    .describe('amount raised and target amount, in the first currency'),
});

const MAX_FORM_NAME_LENGTH = 60;

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
/** Formatters in addition to `None`. The specification does not say which fit which type. */
const FORMATTERS: Readonly<Partial<Record<DataType, readonly Formatter[]>>> = {
  Boolean: ['BooleanButton', 'BooleanRadio'],
  Integer: ['Numeric', 'Currency'],
  Decimal: ['Numeric', 'NumericWithFractional', 'Currency', 'CurrencyWithDecimals'],
  List: ['Dropdown', 'ListRadio'],
  Multiselect: ['ListCheckbox'],
};

const value = lineSchema(MAX_CUSTOM_VALUE_LENGTH).min(1);
const option = z.union(
  [
    value.transform((option) => ({ value: option, label: option as LocalizedText })),
    z.strictObject({ value, label: localizedLine }),
  ],
  'expected a string, or { "value": …, "label": … }',
);

const declaration = createLocalizedText(textSchema(MAX_CONSENT_LENGTH).min(1));
const giftAid = z.union(
  [z.boolean(), z.strictObject({ single: declaration, all: declaration })],
  'expected true, or { "single": …, "all": … } with your own declarations',
);

const customField = z
  .strictObject({
    id: controlId,
    type: z.enum(dataTypes),
    label: localizedLine
      .optional()
      .describe(
        'label that donors see; if absent, the field is hidden, but the page can still preset its value',
      ),
    hint: localizedText.optional(),
    required: z.boolean().default(false),
    formatter: z.enum(formatters).default('None'),
    options: requireUnique(z.array(option).min(1), 'value (ignoring case)', (option) =>
      option.value.toLowerCase(),
    ).optional(),
  })
  .superRefine(({ type, label, hint, required, formatter, options }, context) => {
    const expect = createExpectation(context);
    expect(
      (type === 'List' || type === 'Multiselect') === (options !== undefined),
      ['options'],
      'expected options for List and Multiselect fields, and for no other type',
    );
    expect(
      type !== 'Multiselect' || !options?.some((option) => option.value.includes(',')),
      ['options'],
      'expected values without commas, because commas separate the selected values of a Multiselect field',
    );
    const allowed: readonly Formatter[] = ['None', ...(FORMATTERS[type] ?? [])];
    expect(
      allowed.includes(formatter),
      ['formatter'],
      `expected a formatter for ${type} fields: ${allowed.join(', ')}`,
    );
    expect(
      label !== undefined || (hint === undefined && !required),
      ['label'],
      'expected a label, because a field without a label is hidden and cannot have a hint or be required',
    );
  });

/** Excludes settings that the form removes from the page's URL before it loads the aliases. */
const ALIASED_SETTINGS = (Object.keys(URL_PARAMETERS) as UrlSetting[]).filter(
  (setting) => !isPersonalParameter(URL_PARAMETERS[setting][0]),
);

/** URL parameters, other than settings, that the form's pages read. */
const RESERVED_PARAMETERS = ['id', 'language', 'donation-form-debug'];

const urlAlias = z
  .string()
  .regex(/^[\w-]+$/, 'expected the name of a URL parameter, such as sc')
  .toLowerCase()
  .refine(
    (name) =>
      !isKnownParameter(name) && !isProviderParameter(name) && !RESERVED_PARAMETERS.includes(name),
    'expected a name that forms do not already use as a URL parameter',
  );

export const form = z
  .strictObject({
    id,
    name: createLocalizedText(createLine(MAX_FORM_NAME_LENGTH))
      .optional()
      .describe('shown to staff, and the title of the page without JavaScript'),
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
    giftAid: giftAid
      .default(false)
      .describe(
        "offers Gift Aid to UK taxpayers who give in GBP: true for the form's declarations, or your own for one donation (single) and for all donations",
      ),
    customFields: requireUnique(
      z.array(customField).max(MAX_CUSTOM_FIELDS),
      'id',
      (entry) => entry.id,
    ).default([]),
    allowUnlistedCustomFields: z.boolean().default(false),
    urlAliases: recordWithKeys(ALIASED_SETTINGS, z.array(urlAlias))
      .default({})
      .describe('additional names for URL parameters in links to this form, keyed by setting'),
    texts: recordWithKeys(LANGUAGES, z.record(z.string(), z.string().min(1).max(500)))
      .default({})
      .describe(
        "custom texts that replace the form's own texts, keyed by language and then by text name",
      ),
  })
  .superRefine(({ currencies, frequencies, monthlyUpsell, urlAliases, ...form }, context) => {
    const expect = createExpectation(context);
    if (form.giftAid !== false) {
      expect(
        currencies.some(({ code }) => code === 'GBP'),
        ['giftAid'],
        'expected GBP in currencies, because Gift Aid is a UK tax relief',
      );
      for (const name of ['firstName', 'lastName'] as const)
        expect(
          form.donorFields[name] === 'required',
          ['donorFields', name],
          "expected required, because a Gift Aid declaration contains the donor's name",
        );
    }
    const aliases = Object.values(urlAliases).flat();
    const duplicate = aliases.find((name, index) => aliases.indexOf(name) !== index);
    expect(
      duplicate === undefined,
      ['urlAliases'],
      `found "${duplicate}" more than once; expected each name only once`,
    );
    expect(
      !monthlyUpsell || (frequencies.includes('once') && frequencies.includes('monthly')),
      ['monthlyUpsell'],
      'expected true only if frequencies include once and monthly',
    );
    currencies.forEach(({ giftArrays }, index) => {
      for (const frequency of DONATION_FREQUENCIES)
        expect(
          !giftArrays[frequency] || frequencies.includes(frequency),
          ['currencies', index, 'giftArrays', frequency],
          `found "${frequency}"; expected a frequency that the form offers: ${frequencies.join(', ')}`,
        );
    });
  });
