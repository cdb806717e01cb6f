import type { DonationFrequency } from '../donation/frequency.ts';
import {
  cleanText,
  DONOR_FIELDS,
  type DonorField,
  MAX_COMMENT_LENGTH,
  MAX_DONOR_FIELD_LENGTHS,
} from '../donor/donor.ts';
import { cleanDonorField, isEmail } from '../donor/email.ts';
import { findLanguage, type Language } from '../i18n/languages.ts';
import { parseAmount, toMajorUnits } from '../money/money.ts';
import type {
  CurrencyOffer,
  FormDefinition,
  GiftOption,
  ProjectOffer,
} from '../schemas/form-definition.ts';
import { overrideGiftArray, parseGiftArray, type ResolvedGiftArray } from './gift-array.ts';
import {
  findOfferedItem,
  parseBoolean,
  parseFrequency,
  type ParseResult,
  parseText,
  toTrimmedText,
} from './parsers.ts';
import type { SettingResolver, ValidValue } from './resolver.ts';
import { SETTING_SOURCES } from './setting-source.ts';

export interface SuggestedAmounts {
  readonly giftArray: readonly GiftOption[];
  readonly amount?: number;
  /** Absent if an amount, not an option, determines the selection. */
  readonly selectedIndex?: number;
}

/** Returns the suggested amounts for a frequency (rule 26). */
export function getSuggestedAmounts(
  settings: FormSettings,
  frequency: DonationFrequency,
): SuggestedAmounts {
  return settings.suggestedByFrequency[frequency] ?? settings;
}

export interface FormSettings extends SuggestedAmounts {
  readonly currency: CurrencyOffer;
  /** Suggested amounts for each frequency that has its own list in the form definition. */
  readonly suggestedByFrequency: Readonly<Partial<Record<DonationFrequency, SuggestedAmounts>>>;
  readonly frequency: DonationFrequency;
  readonly coverCosts: boolean;
  readonly project: ProjectOffer;
  readonly isProjectFixed: boolean;
  readonly donor: Readonly<Partial<Record<DonorField, string>>>;
  readonly comment: string;
}

/** Resolves the settings that every form shows, as {@link resolveSettings} does. */
export function resolveFormSettings(
  resolver: SettingResolver,
  definition: FormDefinition,
  chosenCurrency?: string,
): FormSettings {
  resolver.resolveSetting('language', parseLanguage);
  const suggestedCurrency =
    resolver.resolveSetting('currency', (value) =>
      findOfferedItem(
        definition.currencies,
        ({ code }) => code === toTrimmedText(value).toUpperCase(),
      ),
    ) ?? definition.currencies[0];
  const currency =
    definition.currencies.find(({ code }) => code === chosenCurrency) ?? suggestedCurrency;
  return {
    currency,
    ...resolveSuggestedAmounts(resolver, currency, definition.allowCustomAmount),
    ...resolveProject(resolver, definition),
    donor: resolveDonor(resolver, definition),
    frequency:
      resolver.resolveSetting('frequency', (value) =>
        parseFrequency(value, definition.frequencies),
      ) ?? definition.frequencies[0],
    coverCosts:
      resolver.resolveSetting('coverCosts', (value) =>
        currency.feeCover ? parseBoolean(value) : { reason: 'not-offered' },
      ) ?? false,
    comment:
      resolver.resolveSetting('comment', (value) =>
        definition.allowComment
          ? parseText(value, MAX_COMMENT_LENGTH, cleanText)
          : { reason: 'not-offered' },
      ) ?? '',
  };
}

function parseLanguage(value: unknown): ParseResult<Language> {
  const language = findLanguage(toTrimmedText(value));
  return language ? { value: language } : { reason: 'not-offered' };
}

function resolveSuggestedAmounts(
  resolver: SettingResolver,
  currency: CurrencyOffer,
  allowCustomAmount: boolean,
): Pick<FormSettings, keyof SuggestedAmounts | 'suggestedByFrequency'> {
  const parseOfferedAmount = (value: unknown): ParseResult<number> => {
    const amount = parseAmount(toTrimmedText(value), currency);
    if (amount === undefined) return { reason: 'invalid' };
    return amount < currency.minimum || amount > currency.maximum
      ? { reason: 'out-of-range' }
      : { value: amount };
  };
  const lists = resolver.resolveAllValues('giftArray', (value, source) =>
    parseGiftArray(value, parseOfferedAmount, source),
  );
  const [amount] = resolver.resolveAllValues('amount', parseOfferedAmount);
  const resolveGiftArray = (giftArray: readonly GiftOption[]): ResolvedGiftArray =>
    lists.reduceRight<ResolvedGiftArray>(
      (weaker, { value, source, name }) => overrideGiftArray(weaker, value, source, name),
      toResolvedGiftArray(giftArray),
    );
  const resolved = resolveGiftArray(currency.giftArray);
  const suggested = preselectAmount(resolved, amount, allowCustomAmount);
  if (suggested.selectedIndex !== undefined && resolved.source !== 'definition') {
    resolver.markOverridden('amount');
    resolver.origins.amount = {
      source: resolved.source,
      name: resolved.name,
      value: toMajorUnits(suggested.amount!, currency.decimals),
    };
  }
  return {
    ...suggested,
    suggestedByFrequency: Object.fromEntries(
      Object.entries(currency.giftArrays ?? {}).map(([frequency, giftArray]) => [
        frequency,
        preselectAmount(resolveGiftArray(giftArray), amount, allowCustomAmount),
      ]),
    ),
  };
}

function resolveProject(
  resolver: SettingResolver,
  { projects }: FormDefinition,
): Pick<FormSettings, 'project' | 'isProjectFixed'> {
  const parseProject = (value: unknown): ParseResult<ProjectOffer> =>
    findOfferedItem(projects, ({ id, code }) => [code ?? id, id].includes(toTrimmedText(value)));
  const override = resolver.resolveSetting('projectOverride', parseProject);
  const preselected = resolver.resolveSetting('projectPreselect', parseProject);
  if (override) resolver.markOverridden('projectPreselect');
  return {
    project: override ?? preselected ?? projects[0],
    isProjectFixed: override !== undefined,
  };
}

function resolveDonor(resolver: SettingResolver, { donorFields }: FormDefinition) {
  const entries = DONOR_FIELDS.flatMap((name) => {
    const isOffered = donorFields.some((field) => field.name === name);
    const value = resolver.resolveSetting(name, (text) =>
      isOffered ? parseDonorField(name, text) : { reason: 'not-offered' },
    );
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries) as FormSettings['donor'];
}

function parseDonorField(name: DonorField, text: unknown): ParseResult<string> {
  const result = parseText(text, MAX_DONOR_FIELD_LENGTHS[name], (value) =>
    cleanDonorField(name, value),
  );
  return name === 'email' && 'value' in result && !isEmail(result.value)
    ? { reason: 'invalid' }
    : result;
}

function toResolvedGiftArray(giftArray: readonly GiftOption[]): ResolvedGiftArray {
  const defaultIndex = giftArray.findIndex(({ isDefault }) => isDefault);
  return {
    options: giftArray,
    selected: defaultIndex < 0 ? undefined : defaultIndex,
    source: 'definition',
    name: 'giftArray',
  };
}

/**
 * The source with the highest precedence wins. Within a source, an amount wins (rule 18). If donors
 * cannot enter a custom amount, an unlisted amount becomes an option (rule 17).
 */
function preselectAmount(
  { options, selected, source }: ResolvedGiftArray,
  amount: ValidValue<number> | undefined,
  allowCustomAmount: boolean,
): SuggestedAmounts {
  const isOptionStronger =
    selected !== undefined &&
    (!amount || SETTING_SOURCES.indexOf(source) > SETTING_SOURCES.indexOf(amount.source));
  if (isOptionStronger)
    return { giftArray: options, amount: options[selected]!.value, selectedIndex: selected };
  if (!amount) return { giftArray: options };
  const hasOption = allowCustomAmount || options.some(({ value }) => value === amount.value);
  return {
    giftArray: hasOption ? options : [{ value: amount.value }, ...options],
    amount: amount.value,
  };
}
