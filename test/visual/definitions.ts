import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import type { Language } from '../../src/core/i18n/language.ts';
import { formsOf, loadConfiguration } from '../../src/server/config/load-configuration.ts';
import { ENGLISH_TEXTS } from '../../src/core/i18n/names.ts';

const [forms = []] = formsOf(await loadConfiguration('demo/donation-form.config.json'));
const demoForm = (id: string, language: Language): FormDefinition => {
  const form = forms.find((candidate) => candidate[language].definition.id === id)![language]
    .definition;
  return {
    ...form,
    payments: [
      {
        provider: 'sandbox',
        methods: [0],
        hasHostedCheckout: true,
        hasCustomerPortal: true,
        options: { frame: 'https://card.site.test/processor/card-frame', publicKey: 'pk_sandbox' },
      },
    ],
  };
};

/** A form of the demo in which everything is on. */
export const wholeForm = (language: Language): FormDefinition => demoForm('whole', language);

/** What most forms ask for, in words that the demo has in several languages. */
export function plainForm(language: Language): FormDefinition {
  const whole = wholeForm(language);
  const currency = { ...whole.currencies[0] };
  delete currency.giftArrays;
  return {
    ...whole,
    id: 'plain',
    monthlyUpsell: false,
    allowSplit: false,
    allowTribute: false,
    allowOrganizations: false,
    allowAnonymous: false,
    allowComment: false,
    consents: [],
    customFields: [],
    currencies: [currency],
    frequencies: ['once', 'monthly', 'quarterly', 'annually'],
    projects: whole.projects.map(({ id, name }) => ({
      id,
      name,
    })) as unknown as FormDefinition['projects'],
    donorFields: whole.donorFields.filter(({ name }) =>
      ['firstName', 'lastName', 'email', 'phone'].includes(name),
    ),
  };
}

export const suggestingForm = (language: Language): FormDefinition => ({
  ...plainForm(language),
  monthlyUpsell: true,
});

const TRANSFER: Readonly<
  Partial<Record<Language, { readonly label: string; readonly instructions: string }>>
> = {
  en: {
    label: 'Bank transfer',
    instructions:
      'Lanternwell Trust\nIBAN: DE02 1203 0000 0000 2020 51\nPlease write the reference into the transfer; you see it when you have given.',
  },
  ar: {
    label: 'تحويل مصرفي',
    instructions:
      'Lanternwell Trust\nIBAN: DE02 1203 0000 0000 2020 51\nيرجى كتابة الرقم المرجعي في التحويل؛ ستجدونه بعد إتمام التبرع.',
  },
};

/** A form that takes cards, and gifts by bank transfer. */
export function formOfSeveralWays(language: Language): FormDefinition {
  const form = plainForm(language);
  const { label, instructions } = (TRANSFER[language] ?? TRANSFER.en)!;
  return {
    ...form,
    allowComment: true,
    payments: [
      form.payments[0],
      {
        provider: 'offline',
        label,
        methods: [],
        hasHostedCheckout: false,
        hasCustomerPortal: false,
        options: { instructions },
      },
    ],
  };
}

/** A form whose payment field cannot be shown. */
export const formWithoutField = (language: Language): FormDefinition => ({
  ...plainForm(language),
  payments: [
    {
      provider: 'blocked',
      methods: [0],
      hasHostedCheckout: true,
      hasCustomerPortal: true,
      options: {},
    },
  ],
});

export const formOfManyProjects = (language: Language): FormDefinition => ({
  ...plainForm(language),
  projects: demoForm('many', language).projects,
});

/**
 * English words that are 40 % longer, as in no language that there is: every vowel is doubled, and
 * what still lacks stands behind.
 */
export const longTexts = Object.fromEntries(
  [...ENGLISH_TEXTS].map(([name, text]) => {
    const doubled = text
      .split(/(\{\w+\})/)
      .map((piece) => (piece.startsWith('{') ? piece : piece.replace(/[aeiou]/gi, '$&$&')))
      .join('');
    const lacking = Math.ceil(text.length * 1.4) - doubled.length;
    return [
      name,
      lacking > 1 && !doubled.endsWith('}') ? `${doubled} ${'o'.repeat(lacking - 1)}` : doubled,
    ];
  }),
);
