import type { Language } from '../../src/core/i18n/languages.ts';
import { ENGLISH_TEXTS } from '../../src/core/i18n/text-keys.ts';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import { STRIPE_PUBLISHABLE_KEY } from '../../src/sandbox/index.ts';
import { loadConfiguration } from '../../src/server/config/load-configuration.ts';
import { buildForms } from '../../src/server/config/validate-configuration.ts';
import { STRIPE_ORIGIN } from './stage.ts';

const [forms = []] = buildForms(await loadConfiguration('demo/donation-form.config.json'));
const findDemoForm = (id: string, language: Language): FormDefinition => {
  const form = forms.find((candidate) => candidate[language].definition.id === id)![language]
    .definition;
  return {
    ...form,
    payments: [
      {
        provider: 'stripe',
        methods: [0],
        hasField: true,
        hasHostedCheckout: true,
        hasCustomerPortal: true,
        options: {
          publicKey: STRIPE_PUBLISHABLE_KEY,
          methods: 'card',
          scriptUrl: `${STRIPE_ORIGIN}/stripe/stripe.js`,
        },
      },
    ],
  };
};

/** Form definition of the demo with every section. */
export const createFullForm = (language: Language): FormDefinition =>
  findDemoForm('full', language);

/**
 * Form definition with the most common sections, using texts that the demo has in several
 * languages.
 */
export function createPlainForm(language: Language): FormDefinition {
  const full = createFullForm(language);
  const currency = { ...full.currencies[0] };
  delete currency.giftArrays;
  return {
    ...full,
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
    projects: full.projects.map(({ id, name }) => ({
      id,
      name,
    })) as unknown as FormDefinition['projects'],
    donorFields: full.donorFields.filter(({ name }) =>
      ['firstName', 'lastName', 'email', 'phone'].includes(name),
    ),
  };
}

/** A plain form that also has a tribute and consents. */
export function createFormWithEveryPart(language: Language): FormDefinition {
  const { allowTribute, consents } = createFullForm(language);
  return { ...createPlainForm(language), allowTribute, consents };
}

export const createMonthlyUpsellForm = (language: Language): FormDefinition => ({
  ...createPlainForm(language),
  monthlyUpsell: true,
});

const TRANSFER: Readonly<
  Partial<Record<Language, { readonly label: string; readonly instructions: string }>>
> = {
  en: {
    label: 'Bank transfer',
    instructions:
      'Lanternwell Trust\nIBAN: DE02 1203 0000 0000 2020 51\n' +
      'Please include the reference in your transfer. You will see it in the next step.',
  },
  ar: {
    label: 'تحويل مصرفي',
    instructions:
      'Lanternwell Trust\nIBAN: DE02 1203 0000 0000 2020 51\n' +
      'يرجى كتابة الرقم المرجعي في التحويل؛ ستجدونه بعد إتمام التبرع.',
  },
};

/** Form definition that accepts cards and bank transfers. */
export function createSeveralMethodsForm(language: Language): FormDefinition {
  const form = createPlainForm(language);
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
        hasField: false,
        hasHostedCheckout: false,
        hasCustomerPortal: false,
        options: { instructions },
      },
    ],
  };
}

/** Form definition whose payment field cannot be shown. */
export const createFormWithoutPaymentField = (language: Language): FormDefinition => ({
  ...createPlainForm(language),
  payments: [
    {
      provider: 'blocked',
      methods: [0],
      hasField: true,
      hasHostedCheckout: true,
      hasCustomerPortal: true,
      options: {},
    },
  ],
});

/** Form definition of a provider with wallet buttons. */
export const createWalletsForm = (language: Language): FormDefinition => ({
  ...createPlainForm(language),
  payments: [
    {
      provider: 'wallets',
      methods: [0, 4],
      hasField: true,
      hasHostedCheckout: false,
      hasCustomerPortal: true,
      hasWallets: true,
      options: {},
    },
  ],
});

export const createManyProjectsForm = (language: Language): FormDefinition => ({
  ...createPlainForm(language),
  projects: findDemoForm('many', language).projects,
});

/**
 * English texts that are 40% longer, beyond any real language: doubles every vowel and pads the
 * rest.
 */
export const longTexts = Object.fromEntries(
  [...ENGLISH_TEXTS].map(([name, text]) => {
    const doubled = text
      .split(/(\{\w+\})/)
      .map((part) => (part.startsWith('{') ? part : part.replace(/[aeiou]/gi, '$&$&')))
      .join('');
    const missing = Math.ceil(text.length * 1.4) - doubled.length;
    return [
      name,
      missing > 1 && !doubled.endsWith('}') ? `${doubled} ${'o'.repeat(missing - 1)}` : doubled,
    ];
  }),
);
