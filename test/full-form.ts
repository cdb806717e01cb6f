import {
  CustomFieldDataFormatter as Formatter,
  CustomFieldDataType as Type,
} from '../src/core/donor/custom-field.ts';
import type { FormDefinition, ProjectOffer } from '../src/core/schemas/form-definition.ts';
import { exampleForm } from './example-form.ts';

type CustomField = FormDefinition['customFields'][number];

const createField = (
  id: string,
  type: CustomField['type'],
  formatter: CustomField['formatter'],
  label: string,
  options: Partial<CustomField> = {},
): CustomField => ({ id, type, formatter, required: false, label, ...options });
const REQUIRED = { required: true };

/** Form definition with every optional part, for tests; similar to the demo's form `full`. */
export const fullForm: FormDefinition = {
  ...exampleForm,
  id: 'full',
  currencies: [
    {
      code: 'USD',
      decimals: 2,
      minimum: 500,
      maximum: 2_500_000,
      feeCover: { basisPoints: 290, fixed: 30 },
      giftArray: [
        { value: 2_500, description: 'Soap and filters for a family' },
        { value: 5_000, description: 'Two water tests for a village', isDefault: true },
        { value: 7_500, description: 'New seals for one hand pump' },
        { value: 15_000 },
        { value: 50_000 },
      ],
      giftArrays: {
        monthly: [
          { value: 800 },
          { value: 1_500, description: 'One pump looked after', isDefault: true },
          { value: 3_000 },
        ],
      },
    },
    {
      code: 'EUR',
      decimals: 2,
      minimum: 500,
      maximum: 2_500_000,
      feeCover: { basisPoints: 150, fixed: 25 },
      giftArray: [{ value: 2_500 }, { value: 5_000, isDefault: true }],
    },
    {
      code: 'JPY',
      decimals: 0,
      minimum: 500,
      maximum: 3_000_000,
      feeCover: { basisPoints: 360, fixed: 0 },
      giftArray: [{ value: 3_000 }, { value: 5_000, isDefault: true }],
    },
  ],
  frequencies: ['once', 'weekly', 'everyOtherWeek', 'monthly', 'quarterly', 'biannual', 'annually'],
  monthlyUpsell: true,
  projects: [
    { id: '1', code: 'GENERAL', name: 'Where it is needed most' },
    {
      id: '2',
      code: 'WATER',
      name: 'Village wells',
      goal: { raised: 1_825_000, target: 3_000_000 },
    },
    {
      id: '3',
      code: 'SCHOOL',
      name: 'Taps at schools',
      goal: { raised: 640_000, target: 800_000 },
    },
    { id: '4', code: 'RIVER', name: 'River watch' },
  ],
  allowSplit: true,
  allowTribute: true,
  donorFields: [
    ...exampleForm.donorFields,
    { name: 'address1', required: true },
    { name: 'address2', required: false },
    { name: 'city', required: true },
    { name: 'state', required: false },
    { name: 'postal', required: true },
    { name: 'country', required: true },
  ],
  allowOrganizations: true,
  allowAnonymous: true,
  consents: [
    {
      id: 'privacy',
      text: 'I agree that Lanternwell keeps my details to handle this donation.',
      required: true,
    },
    { id: 'news', text: 'Write to me about the wells, four times a year.', required: false },
  ],
  customFields: [
    createField('101', Type.List, Formatter.Dropdown, 'How did you hear of Lanternwell?', {
      required: true,
      options: [
        { value: 'Friend', label: 'From a friend' },
        { value: 'Press', label: 'In the press' },
      ],
    }),
    createField(
      '102',
      Type.Multiselect,
      Formatter.ListCheckbox,
      'What would you like to hear about?',
      {
        hint: 'As many as you like',
        options: [
          { value: 'Wells', label: 'New wells' },
          { value: 'Schools', label: 'Schools' },
        ],
      },
    ),
    createField('103', Type.Boolean, Formatter.BooleanRadio, 'Have you given to us before?'),
    createField('104', Type.Date, Formatter.None, 'Day of the occasion', {
      hint: 'If your donation marks a birthday, a wedding or a day of remembrance',
    }),
    createField('105', Type.Integer, Formatter.Numeric, 'How many of you give together?', {
      hint: 'A family, a class, an office',
    }),
    createField('106', Type.Decimal, Formatter.CurrencyWithDecimals, 'What your employer adds', {
      hint: 'In the currency of your donation',
    }),
    createField('107', Type.Text, Formatter.None, 'Name of your employer'),
    createField('108', Type.Link, Formatter.None, 'Page of your fundraiser', {
      hint: 'Such as https://example.org/wells',
    }),
    createField('109', Type.Paragraph, Formatter.None, 'A word to the pump crews', {
      hint: 'We read these out at the monthly meeting',
    }),
    createField('110', Type.Boolean, Formatter.BooleanButton, 'May we call you?', REQUIRED),
    createField('111', Type.Boolean, Formatter.None, 'I am at least 16 years old', REQUIRED),
    createField('112', Type.List, Formatter.ListRadio, 'Which season suits you?', {
      required: true,
      options: [
        { value: 'Dry', label: 'The dry one' },
        { value: 'Wet', label: 'The wet one' },
      ],
    }),
  ],
};

/** Enough projects for the form to show a search field. */
export const manyProjects: FormDefinition['projects'] = [
  { id: '1', name: 'Where it is needed most' },
  ...[
    'Amber Ridge',
    'Barley Cross',
    'Cedar Hollow',
    'Dry Creek',
    'Elder Springs',
    'Fallow Field',
    'Granite Pass',
    'Heron Lake',
  ].map((place, index): ProjectOffer => ({ id: String(index + 2), name: `Well at ${place}` })),
];
