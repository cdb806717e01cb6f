import type { FormDefinition, ProjectOffer } from '../src/core/schemas/form-definition.ts';
import {
  CustomFieldDataFormatter as Formatter,
  CustomFieldDataType as Type,
} from '../src/core/donor/custom-field.ts';
import { exampleForm } from './example-form.ts';

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
    { name: 'firstName', required: true },
    { name: 'lastName', required: true },
    { name: 'email', required: true },
    { name: 'phone', required: false },
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
      text: 'I agree that Lanternwell keeps my details to handle this gift.',
      required: true,
    },
    { id: 'news', text: 'Write to me about the wells, four times a year.', required: false },
  ],
  customFields: [
    {
      id: '101',
      type: Type.List,
      formatter: Formatter.Dropdown,
      required: true,
      label: 'How did you hear of Lanternwell?',
      options: [
        { value: 'Friend', label: 'From a friend' },
        { value: 'Press', label: 'In the press' },
      ],
    },
    {
      id: '102',
      type: Type.Multiselect,
      formatter: Formatter.ListCheckbox,
      required: false,
      label: 'What would you like to hear about?',
      hint: 'As many as you like',
      options: [
        { value: 'Wells', label: 'New wells' },
        { value: 'Schools', label: 'Schools' },
      ],
    },
    {
      id: '103',
      type: Type.Boolean,
      formatter: Formatter.BooleanRadio,
      required: false,
      label: 'Have you given to us before?',
    },
    {
      id: '104',
      type: Type.Date,
      formatter: Formatter.None,
      required: false,
      label: 'Day of the occasion',
      hint: 'If your gift marks a birthday, a wedding or a day of remembrance',
    },
    {
      id: '105',
      type: Type.Integer,
      formatter: Formatter.Numeric,
      required: false,
      label: 'How many of you give together?',
      hint: 'A family, a class, an office',
    },
    {
      id: '106',
      type: Type.Decimal,
      formatter: Formatter.CurrencyWithDecimals,
      required: false,
      label: 'What your employer adds',
      hint: 'In the currency of your gift',
    },
    {
      id: '107',
      type: Type.Text,
      formatter: Formatter.None,
      required: false,
      label: 'Name of your employer',
    },
    {
      id: '108',
      type: Type.Link,
      formatter: Formatter.None,
      required: false,
      label: 'Page of your fundraiser',
      hint: 'Such as https://example.org/wells',
    },
    {
      id: '109',
      type: Type.Paragraph,
      formatter: Formatter.None,
      required: false,
      label: 'A word to the pump crews',
      hint: 'We read these out at the monthly meeting',
    },
    {
      id: '110',
      type: Type.Boolean,
      formatter: Formatter.BooleanButton,
      required: true,
      label: 'May we call you?',
    },
    {
      id: '111',
      type: Type.Boolean,
      formatter: Formatter.None,
      required: true,
      label: 'I am at least 16 years old',
    },
    {
      id: '112',
      type: Type.List,
      formatter: Formatter.ListRadio,
      required: true,
      label: 'Which season suits you?',
      options: [
        { value: 'Dry', label: 'The dry one' },
        { value: 'Wet', label: 'The wet one' },
      ],
    },
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
