import type {
  FormConfiguration,
  OrganizationConfiguration,
  CurrencyOffer,
  CustomFieldOffer,
  FormDefinition,
  GiftOption,
  PaymentOffer,
  ProjectOffer,
} from '@donation-form/core/schemas';
import { coveredCosts, LARGEST_AMOUNT, majorUnits } from '@donation-form/core/money';
import {
  CustomFieldDataFormatter,
  CustomFieldDataType,
  DONOR_FIELDS,
} from '@donation-form/core/donor';
import { LANGUAGES, type Language, englishText, placeholdersOf } from '@donation-form/core/i18n';
import { readAmount, sayIn, type Say } from './localize.ts';
import { decimalsWith, isTestPayment, paymentOffer } from '../payments/payment-options.ts';
import { ConfigurationError } from '../lib/configuration-error.ts';
import type { LocalizedDefinition, LocalizedForm } from './organization.ts';
import { publicBody } from '../lib/cached-response.ts';

/**
 * What `GET /form` answers for a configured form, in each language.
 * @param at the form's place in the file, for messages.
 * @throws {ConfigurationError}
 */
export function buildFormDefinition(
  organization: OrganizationConfiguration,
  form: FormConfiguration,
  at: string,
): LocalizedForm {
  return inEachLanguage((language) => define(organization, form, language, at));
}

/** A form by its definition in each language. */
export function inEachLanguage(
  definitionIn: (language: Language) => FormDefinition,
): LocalizedForm {
  return Object.fromEntries(
    LANGUAGES.map((language): [Language, LocalizedDefinition] => {
      const definition = definitionIn(language);
      return [language, { definition, ...publicBody(JSON.stringify(definition)) }];
    }),
  ) as Record<Language, LocalizedDefinition>;
}

function define(
  organization: OrganizationConfiguration,
  form: FormConfiguration,
  language: Language,
  at: string,
): FormDefinition {
  const say = sayIn(language);
  const currencies = form.currencies.map((currency, index) =>
    currencyOffer(
      currency,
      decimalsWith(organization.payments, currency.code),
      say,
      `${at}.currencies.${index}`,
    ),
  ) as [CurrencyOffer, ...CurrencyOffer[]];
  return {
    id: form.id,
    organization: { name: organization.name, contact: organization.contact },
    isTest: organization.payments.some(isTestPayment),
    currencies,
    frequencies: form.frequencies,
    monthlyUpsell: form.monthlyUpsell,
    projects: form.projects.map((project, index) =>
      projectOffer(project, currencies[0], say, `${at}.projects.${index}`),
    ) as [ProjectOffer, ...ProjectOffer[]],
    allowSplit: form.allowSplit,
    allowTribute: form.allowTribute,
    donorFields: DONOR_FIELDS.flatMap((name) =>
      form.donorFields[name] ? [{ name, required: form.donorFields[name] === 'required' }] : [],
    ),
    allowOrganizations: form.allowOrganizations,
    allowAnonymous: form.allowAnonymous,
    allowComment: form.allowComment,
    allowCustomAmount: form.allowCustomAmount,
    consents: form.consents.map((consent) => ({ ...consent, words: say(consent.words) })),
    customFields: form.customFields.map((field) => customFieldOffer(field, say)),
    allowUnlistedCustomFields: form.allowUnlistedCustomFields,
    receipts: organization.receipts,
    texts: checkTexts(form.texts[language] ?? {}, `${at}.texts.${language}`),
    payments: organization.payments.map((payment) => paymentOffer(payment, say)) as [
      PaymentOffer,
      ...PaymentOffer[],
    ],
  };
}

/**
 * @throws {ConfigurationError} where a name is none of a text, or a text fills in what nobody
 *   gives it.
 */
function checkTexts(texts: Readonly<Record<string, string>>, at: string): Record<string, string> {
  for (const [name, words] of Object.entries(texts)) {
    const english = englishText(name);
    if (english === undefined)
      throw new ConfigurationError(
        `${at}: found ${JSON.stringify(name)}, expected the name of a text; docs/texts.md lists them`,
      );
    const known = placeholdersOf(english);
    const unknown = placeholdersOf(words).filter((placeholder) => !known.includes(placeholder));
    if (unknown.length > 0)
      throw new ConfigurationError(
        `${at}.${name}: found ${unknown.join(', ')}, expected ${known.length > 0 ? `only ${known.join(', ')}` : 'nothing in braces'}`,
      );
  }
  return { ...texts };
}

function currencyOffer(
  { code, minimum, maximum, giftArray, giftArrays, costs }: FormConfiguration['currencies'][number],
  decimals: number | undefined,
  say: Say,
  at: string,
): CurrencyOffer {
  if (decimals === undefined)
    throw new ConfigurationError(
      `${at}.code: found ${JSON.stringify(code)}, expected an active ISO 4217 currency`,
    );
  const minor = (written: string, place: string): number =>
    readAmount(written, { code, decimals }, `${at}.${place}`);
  const least = minor(minimum, 'minimum');
  const most = minor(maximum, 'maximum');
  const rate = costs && {
    basisPoints: Math.round(Number(costs.percent) * 100),
    fixed: minor(costs.fixed, 'costs.fixed'),
  };
  if (most + (rate ? coveredCosts(most, rate) : 0) > LARGEST_AMOUNT)
    throw new ConfigurationError(
      `${at}.maximum: found ${maximum}, expected at most ${majorUnits(LARGEST_AMOUNT, decimals)} with the costs that may be covered`,
    );
  if (least < 1 || least > most)
    throw new ConfigurationError(
      `${at}.minimum: found ${minimum}, expected more than 0 and no more than the maximum, ${maximum}`,
    );
  const giftOptions = (array: typeof giftArray, place: string): GiftOption[] =>
    array.map(({ value: written, description, displayValue, isDefault }, index) => {
      const value = minor(written, `${place}.${index}.value`);
      if (value < least || value > most)
        throw new ConfigurationError(
          `${at}.${place}.${index}.value: found ${written}, expected an amount from ${minimum} to ${maximum}`,
        );
      if (array.slice(0, index).some((earlier) => Number(earlier.value) === Number(written)))
        throw new ConfigurationError(
          `${at}.${place}.${index}.value: found ${written} twice in this list, expected each amount once`,
        );
      return {
        value,
        ...(description !== undefined && { description: say(description) }),
        ...(displayValue !== undefined && { displayValue: say(displayValue) }),
        ...(isDefault !== undefined && { isDefault }),
      };
    });
  const lists = Object.entries(giftArrays).map(
    ([frequency, array]) => [frequency, giftOptions(array, `giftArrays.${frequency}`)] as const,
  );
  return {
    code,
    decimals,
    minimum: least,
    maximum: most,
    giftArray: giftOptions(giftArray, 'giftArray'),
    ...(lists.length > 0 && { giftArrays: Object.fromEntries(lists) }),
    ...(rate && { costs: rate }),
  };
}

function projectOffer(
  { id, code, name, goal }: FormConfiguration['projects'][number],
  currency: CurrencyOffer,
  say: Say,
  at: string,
): ProjectOffer {
  const target = goal && readAmount(goal.target, currency, `${at}.goal.target`);
  if (target === 0)
    throw new ConfigurationError(
      `${at}.goal.target: found ${JSON.stringify(goal?.target)}, expected more than 0`,
    );
  return {
    id,
    ...(code !== undefined && { code }),
    name: say(name),
    ...(goal &&
      target && {
        goal: { raised: readAmount(goal.raised, currency, `${at}.goal.raised`), target },
      }),
  };
}

function customFieldOffer(
  {
    id,
    type,
    label,
    hint,
    required,
    formatter,
    options,
  }: FormConfiguration['customFields'][number],
  say: Say,
): CustomFieldOffer {
  return {
    id,
    type: CustomFieldDataType[type],
    formatter: CustomFieldDataFormatter[formatter],
    required,
    ...(label !== undefined && { label: say(label) }),
    ...(hint !== undefined && { hint: say(hint) }),
    ...(options && {
      options: options.map((option) => ({ value: option.value, label: say(option.label) })),
    }),
  };
}
