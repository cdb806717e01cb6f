import type { Language } from '../../src/core/i18n/languages.ts';
import type { DonationRequest } from '../../src/core/schemas/donation-request.ts';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import { exampleForm } from '../example-form.ts';

/** A form with every optional part, in German and English. */
export function createFullForm(language: Language): FormDefinition {
  const isGerman = language === 'de';
  return {
    ...exampleForm,
    projects: [
      { id: '1', code: 'GENERAL', name: 'Where it is needed most' },
      {
        id: '2',
        code: 'WATER',
        name: isGerman ? 'Dorfbrunnen' : 'Village wells',
        goal: { raised: 1, target: 2 },
      },
      { id: '3', name: 'River watch' },
    ],
    allowSplit: true,
    allowTribute: true,
    allowOrganizations: true,
    allowAnonymous: true,
    donorFields: [...exampleForm.donorFields, { name: 'country', required: true }],
    consents: [
      { id: 'privacy', text: isGerman ? 'Ich stimme zu.' : 'I agree.', required: true },
      { id: 'news', text: isGerman ? 'Schreiben Sie mir.' : 'Write to me.', required: false },
    ],
    customFields: [
      { id: '12', type: 3, formatter: 0, label: 'How did you hear of us?', required: true },
    ],
  };
}

type Part = DonationRequest['gift']['projects'][0];
type Consent = NonNullable<DonationRequest['consents']>[0];

/** What a donor enters in the full form, in English. */
export const fullDonation = {
  gift: {
    amount: 10_000,
    coveredFees: 330,
    total: 10_330,
    projects: [
      { id: '2', amount: 3_334 },
      { id: '1', amount: 3_333 },
      { id: '3', amount: 3_333 },
    ],
    anonymous: true,
    tribute: {
      kind: 'memory',
      name: 'João Souza',
      message: 'He dug wells.\nFor all of us.',
      notifyEmail: 'maria@example.org',
    },
  },
  donor: { organization: 'Souza & Daughters', country: 'BR' },
  consents: [
    { id: 'privacy', text: 'I agree.', given: true },
    { id: 'news', text: 'Write to me.', given: false },
  ],
  customFields: [{ id: '12', value: 'From a friend' }],
} satisfies Pick<DonationRequest, 'customFields' | 'donor'> & {
  gift: Partial<DonationRequest['gift']> & { projects: [Part, Part, Part] };
  consents: [Consent, Consent];
};
