import {
  CustomFieldDataFormatter,
  CustomFieldDataType,
  DONOR_FIELDS,
} from '@donation-form/core/donor';
import {
  findEnglishText,
  type Language,
  LANGUAGES,
  listPlaceholders,
} from '@donation-form/core/i18n';
import {
  calculateFeeCover,
  type FeeCover,
  type FeeRate,
  MAX_AMOUNT,
  toMajorUnits,
} from '@donation-form/core/money';
import type {
  CurrencyOffer,
  CustomFieldOffer,
  FormConfiguration,
  FormDefinition,
  GiftOption,
  OrganizationConfiguration,
  PaymentOffer,
  ProjectOffer,
} from '@donation-form/core/schemas';
import { ConfigurationError } from '../lib/configuration-error.ts';
import { createLocalizer, type Localize, parseConfiguredAmount } from '../lib/localize.ts';
import { createPublicBody } from '../lib/public-body.ts';
import { PAYMENT_METHOD_TYPES } from '../payments/payment-provider.ts';
import {
  buildPaymentOffer,
  getPayableDecimals,
  isTestPayment,
} from '../payments/payment-providers.ts';
import { buildGiftAidOffer } from './gift-aid-offer.ts';
import type { LocalizedDefinition, LocalizedForm } from './organization.ts';

/**
 * Builds the response body of `GET /form`, in each language.
 * @throws {ConfigurationError} if the form is invalid.
 */
export function buildLocalizedForm(
  organization: OrganizationConfiguration,
  form: FormConfiguration,
  at: string,
): LocalizedForm {
  return buildInEachLanguage((language) =>
    buildDefinitionInLanguage(organization, form, language, at),
  );
}

export function buildInEachLanguage(
  definitionIn: (language: Language) => FormDefinition,
): LocalizedForm {
  return Object.fromEntries(
    LANGUAGES.map((language): [Language, LocalizedDefinition] => {
      const definition = definitionIn(language);
      return [language, { definition, ...createPublicBody(JSON.stringify(definition)) }];
    }),
  ) as Record<Language, LocalizedDefinition>;
}

function buildDefinitionInLanguage(
  organization: OrganizationConfiguration,
  form: FormConfiguration,
  language: Language,
  at: string,
): FormDefinition {
  const localize = createLocalizer(language);
  const currencies = form.currencies.map((currency, index) =>
    toCurrencyOffer(
      currency,
      getPayableDecimals(organization.payments, currency.code),
      localize,
      `${at}.currencies.${index}`,
      form.projects,
    ),
  ) as [CurrencyOffer, ...CurrencyOffer[]];
  const giftAid = buildGiftAidOffer(form.giftAid, organization.name, language);
  return {
    id: form.id,
    ...(form.name !== undefined && { name: localize(form.name) }),
    organization: { name: organization.name, contact: organization.contact },
    isTest: organization.payments.some(isTestPayment),
    currencies,
    frequencies: form.frequencies,
    monthlyUpsell: form.monthlyUpsell,
    projects: form.projects.map((project, index) =>
      toProjectOffer(project, currencies[0], localize, `${at}.projects.${index}`),
    ) as [ProjectOffer, ...ProjectOffer[]],
    allowSplit: form.allowSplit,
    allowTribute: form.allowTribute,
    ...(form.allowTribute && organization.mail && { sendsTributeMail: true }),
    donorFields: DONOR_FIELDS.flatMap((name) =>
      form.donorFields[name] ? [{ name, required: form.donorFields[name] === 'required' }] : [],
    ),
    allowOrganizations: form.allowOrganizations,
    allowAnonymous: form.allowAnonymous,
    allowComment: form.allowComment,
    allowCustomAmount: form.allowCustomAmount,
    consents: form.consents.map((consent) => ({ ...consent, text: localize(consent.text) })),
    ...(giftAid && { giftAid }),
    customFields: form.customFields.map((field) => toCustomFieldOffer(field, localize)),
    allowUnlistedCustomFields: form.allowUnlistedCustomFields,
    ...(Object.keys(form.urlAliases).length > 0 && { urlAliases: form.urlAliases }),
    receiptSender: organization.receiptSender,
    texts: {
      ...(language === 'en-GB' && form.texts.en),
      ...validateTextOverrides(form.texts[language] ?? {}, `${at}.texts.${language}`),
    },
    payments: organization.payments.map((payment) => buildPaymentOffer(payment, localize)) as [
      PaymentOffer,
      ...PaymentOffer[],
    ],
  };
}

/** @throws {ConfigurationError} if a text name or placeholder is unknown. */
function validateTextOverrides(texts: Readonly<Record<string, string>>, at: string) {
  for (const [name, text] of Object.entries(texts)) {
    const english = findEnglishText(name);
    if (english === undefined)
      throw new ConfigurationError(
        `${at}: found ${JSON.stringify(name)}; expected a key listed in docs/reference/texts.md`,
      );
    const known = listPlaceholders(english);
    const unknown = listPlaceholders(text).filter((placeholder) => !known.includes(placeholder));
    if (unknown.length > 0)
      throw new ConfigurationError(
        `${at}.${name}: found ${unknown.join(', ')}; expected ` +
          (known.length > 0 ? `only ${known.join(', ')}` : 'no placeholders'),
      );
  }
  return { ...texts };
}

function toCurrencyOffer(
  currency: FormConfiguration['currencies'][number],
  decimals: number | undefined,
  localize: Localize,
  at: string,
  projects: FormConfiguration['projects'],
): CurrencyOffer {
  const { code, minimum, maximum, giftArray, giftArrays, feeCover } = currency;
  if (decimals === undefined)
    throw new ConfigurationError(
      `${at}.code: found ${JSON.stringify(code)}; expected an active ISO 4217 currency`,
    );
  const parseMinorUnits = (written: string, place: string): number =>
    parseConfiguredAmount(written, { code, decimals }, `${at}.${place}`);
  const minimumAmount = parseMinorUnits(minimum, 'minimum');
  const maximumAmount = parseMinorUnits(maximum, 'maximum');
  const rates = feeCover && toFeeCover(feeCover, parseMinorUnits);
  if (rates?.projectId !== undefined && !projects.some(({ id }) => id === rates.projectId))
    throw new ConfigurationError(
      `${at}.feeCover.projectId: found ${JSON.stringify(rates.projectId)}; expected the ID ` +
        "of one of this form's projects",
    );
  const highestFee = Math.max(
    0,
    ...[rates ?? [], Object.values(rates?.methods ?? {})]
      .flat()
      .map((rate) => calculateFeeCover(maximumAmount, rate)),
  );
  if (maximumAmount + highestFee > MAX_AMOUNT)
    throw new ConfigurationError(
      `${at}.maximum: found ${maximum}; expected at most ${toMajorUnits(MAX_AMOUNT, decimals)}, including covered fees`,
    );
  if (minimumAmount < 1 || minimumAmount > maximumAmount)
    throw new ConfigurationError(
      `${at}.minimum: found ${minimum}; expected more than 0 and no more than the maximum, ${maximum}`,
    );
  const giftOptions = (array: typeof giftArray, place: string): GiftOption[] =>
    array.map(({ value: written, description, drawing, displayValue, isDefault }, index) => {
      const value = parseMinorUnits(written, `${place}.${index}.value`);
      if (value < minimumAmount || value > maximumAmount)
        throw new ConfigurationError(
          `${at}.${place}.${index}.value: found ${written}; expected an amount from ${minimum} to ${maximum}`,
        );
      if (array.slice(0, index).some((earlier) => Number(earlier.value) === Number(written)))
        throw new ConfigurationError(
          `${at}.${place}.${index}.value: found ${written} twice in this list; expected each amount once`,
        );
      return {
        value,
        ...(description !== undefined && { description: localize(description) }),
        ...(drawing !== undefined && { drawing }),
        ...(displayValue !== undefined && { displayValue: localize(displayValue) }),
        ...(isDefault !== undefined && { isDefault }),
      };
    });
  const lists = Object.entries(giftArrays).map(
    ([frequency, array]) => [frequency, giftOptions(array, `giftArrays.${frequency}`)] as const,
  );
  return {
    code,
    decimals,
    minimum: minimumAmount,
    maximum: maximumAmount,
    giftArray: giftOptions(giftArray, 'giftArray'),
    ...(lists.length > 0 && { giftArrays: Object.fromEntries(lists) }),
    ...(rates && { feeCover: rates }),
  };
}

/** @param parseMinorUnits parses the amount at a path within the currency. */
function toFeeCover(
  feeCover: NonNullable<FormConfiguration['currencies'][number]['feeCover']>,
  parseMinorUnits: (written: string, place: string) => number,
): FeeCover {
  const { methods, projectId, ...general } = feeCover;
  const toFeeRate = ({ percent, fixed, maximum }: typeof general, place: string): FeeRate => ({
    basisPoints: Math.round(Number(percent) * 100),
    fixed: parseMinorUnits(fixed, `${place}.fixed`),
    ...(maximum !== undefined && { maximum: parseMinorUnits(maximum, `${place}.maximum`) }),
  });
  const rates = Object.entries(methods).map(([method, rate]) => [
    PAYMENT_METHOD_TYPES[method as keyof typeof methods],
    toFeeRate(rate, `feeCover.methods.${method}`),
  ]);
  return {
    ...toFeeRate(general, 'feeCover'),
    ...(projectId !== undefined && { projectId }),
    ...(rates.length > 0 && { methods: Object.fromEntries(rates) as FeeCover['methods'] }),
  };
}

function toProjectOffer(
  { id, code, name, goal }: FormConfiguration['projects'][number],
  currency: CurrencyOffer,
  localize: Localize,
  at: string,
): ProjectOffer {
  const parse = (field: 'raised' | 'target'): number =>
    parseConfiguredAmount(goal![field], currency, `${at}.goal.${field}`);
  const target = goal && parse('target');
  if (target === 0)
    throw new ConfigurationError(
      `${at}.goal.target: found ${JSON.stringify(goal?.target)}; expected more than 0`,
    );
  return {
    id,
    ...(code !== undefined && { code }),
    name: localize(name),
    ...(target !== undefined && { goal: { raised: parse('raised'), target } }),
  };
}

function toCustomFieldOffer(
  field: FormConfiguration['customFields'][number],
  localize: Localize,
): CustomFieldOffer {
  const { id, type, label, hint, required, formatter, options } = field;
  return {
    id,
    type: CustomFieldDataType[type],
    formatter: CustomFieldDataFormatter[formatter],
    required,
    ...(label !== undefined && { label: localize(label) }),
    ...(hint !== undefined && { hint: localize(hint) }),
    ...(options && {
      options: options.map((option) => ({ value: option.value, label: localize(option.label) })),
    }),
  };
}
