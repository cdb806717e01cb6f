import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import { exampleForm } from './forms.ts';

const field = { formatter: 0, required: false } as const;
const [usd, ...currencies] = exampleForm.currencies;
export const formWithAllSections: FormDefinition = {
  ...exampleForm,
  currencies: [
    { ...usd, giftArrays: { monthly: [{ value: 1_000 }, { value: 1_500, isDefault: true }] } },
    ...currencies,
  ],
  monthlyUpsell: true,
  allowSplit: true,
  allowTribute: true,
  allowOrganizations: true,
  allowAnonymous: true,
  projects: [
    { id: '1', code: 'GENERAL', name: 'Where it is needed most' },
    {
      id: '2',
      code: 'WATER',
      name: 'Village wells',
      goal: { raised: 1_200_000, target: 5_000_000 },
    },
    { id: '3', name: 'Taps at schools' },
  ],
  consents: [
    { id: 'terms', text: 'You may keep my details.', required: true },
    { id: 'news', text: 'Write to me.', required: false },
  ],
  customFields: [
    { ...field, id: '10', type: 0, label: 'First time?', formatter: 9 },
    { ...field, id: '11', type: 1, label: 'Day' },
    { ...field, id: '12', type: 2, label: 'Match', formatter: 4 },
    { ...field, id: '13', type: 3, label: 'Employer' },
    {
      ...field,
      id: '14',
      type: 4,
      label: 'How',
      required: true,
      options: [
        { value: 'tv', label: 'Television' },
        { value: 'web', label: 'The web' },
      ],
    },
    { ...field, id: '15', type: 5, label: 'Page' },
    { ...field, id: '16', type: 6, label: 'People', formatter: 1 },
    { ...field, id: '17', type: 7, label: 'Word' },
    {
      ...field,
      id: '18',
      type: 8,
      label: 'Topics',
      formatter: 7,
      options: [
        { value: 'a', label: 'Wells' },
        { value: 'b', label: 'Rivers' },
      ],
    },
  ],
};
