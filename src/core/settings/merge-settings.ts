import type {
  CurrencyOffer,
  FormDefinition,
  GiftOption,
  ProjectOffer,
} from '../schemas/form-definition.ts';
import {
  COMMENT_LENGTH,
  DONOR_FIELD_LENGTHS,
  DONOR_FIELDS,
  cleanText,
  type DonorField,
} from '../donor/donor.ts';
import type { GiftFrequency } from '../donation/frequency.ts';
import { languageOf, type Language } from '../i18n/language.ts';
import { majorUnits, parseAmount } from '../money/money.ts';
import { LAYERS, type Candidate } from './setting-source.ts';
import { Decisions, type Valid } from './resolver.ts';
import { readGiftList, replaceList, type Suggestions } from './gift-array.ts';
import { among, readBoolean, readFrequency, readText, wordOf, type Reading } from './parsers.ts';

/** The gifts that are suggested, and which of them is chosen beforehand. */
export interface SuggestedGifts {
  readonly giftArray: readonly GiftOption[];
  /** Minor units; absent where nothing is suggested. */
  readonly amount?: number;
  /**
   * The place of the option in the gift array that is selected beforehand, where an option and not
   * an amount decides that.
   */
  readonly place?: number;
}

/** What is suggested to who gives this often (rule 26). */
export function suggestedFor(settings: Settings, frequency: GiftFrequency): SuggestedGifts {
  return settings.suggestedFor[frequency] ?? settings;
}

/**
 * What the form shows before the donor changes it: every layer below the donor, merged. A new merge
 * replaces it; nothing edits it.
 */
export interface Settings extends SuggestedGifts {
  readonly currency: CurrencyOffer;
  /** Where the definition has a list of its own for a frequency, what is suggested there. */
  readonly suggestedFor: Readonly<Partial<Record<GiftFrequency, SuggestedGifts>>>;
  readonly frequency: GiftFrequency;
  readonly coverCosts: boolean;
  readonly project: ProjectOffer;
  /** True where an override fixes the project: it is shown, and not chosen. */
  readonly isProjectFixed: boolean;
  readonly donor: Readonly<Partial<Record<DonorField, string>>>;
  readonly comment: string;
}

/**
 * Merges what was found with the form's definition, but what is not shown.
 * @param candidates the strongest layer first, and within it the strongest name first.
 * @param chosenCurrency the one that the donor chose.
 */
export function merge(
  definition: FormDefinition,
  candidates: readonly Candidate[],
  chosenCurrency?: string,
): { readonly settings: Settings; readonly decisions: Decisions } {
  const decisions = new Decisions(candidates);
  decisions.strongest('language', (value): Reading<Language> => {
    const language = languageOf(wordOf(value));
    return language ? { value: language } : { reason: 'not-offered' };
  });
  const suggestedCurrency =
    decisions.strongest('currency', (value) =>
      among(definition.currencies, ({ code }) => code === wordOf(value).toUpperCase()),
    ) ?? definition.currencies[0];
  const currency =
    definition.currencies.find(({ code }) => code === chosenCurrency) ?? suggestedCurrency;
  const readAmount = (value: unknown): Reading<number> => {
    const amount = parseAmount(wordOf(value), currency);
    if (amount === undefined) return { reason: 'invalid' };
    return amount < currency.minimum || amount > currency.maximum
      ? { reason: 'out-of-range' }
      : { value: amount };
  };
  const lists = decisions.valid('giftArray', (value) => readGiftList(value, readAmount));
  const [amount] = decisions.valid('amount', readAmount);
  const suggestionsOf = (giftArray: readonly GiftOption[]): Suggestions =>
    lists.reduceRight<Suggestions>(
      (weaker, { value, layer, name }) => replaceList(weaker, value, layer, name),
      offeredIn(giftArray),
    );
  const suggested = suggestionsOf(currency.giftArray);
  const gift = selection(suggested, amount, definition.allowCustomAmount);
  if (gift.place !== undefined && suggested.layer !== 'definition') {
    const { origins } = decisions;
    if (origins.amount)
      decisions.ignored.push({ setting: 'amount', ...origins.amount, reason: 'beaten' });
    origins.amount = {
      layer: suggested.layer,
      name: suggested.name,
      value: majorUnits(gift.amount!, currency.decimals),
    };
  }
  const readProject = (value: unknown): Reading<ProjectOffer> =>
    among(definition.projects, ({ id, code }) => [code ?? id, id].includes(wordOf(value)));
  const override = decisions.strongest('projectOverride', readProject);
  const preselected = decisions.strongest('projectPreselect', readProject);
  if (override && preselected) {
    decisions.ignored.push({
      setting: 'projectPreselect',
      ...decisions.origins.projectPreselect!,
      reason: 'beaten',
    });
    delete decisions.origins.projectPreselect;
  }
  const donor = DONOR_FIELDS.flatMap((name) => {
    const isOffered = definition.donorFields.some((field) => field.name === name);
    const value = decisions.strongest(name, (given) =>
      isOffered ? readText(given, DONOR_FIELD_LENGTHS[name]) : { reason: 'not-offered' },
    );
    return value === undefined ? [] : [[name, value]];
  });

  const settings: Settings = {
    currency,
    ...gift,
    suggestedFor: Object.fromEntries(
      Object.entries(currency.giftArrays ?? {}).map(([frequency, list]) => [
        frequency,
        selection(suggestionsOf(list), amount, definition.allowCustomAmount),
      ]),
    ),
    donor: Object.fromEntries(donor) as Settings['donor'],
    frequency:
      decisions.strongest('frequency', (value) => readFrequency(value, definition.frequencies)) ??
      definition.frequencies[0],
    coverCosts:
      decisions.strongest('coverCosts', (value) =>
        currency.costs ? readBoolean(value) : { reason: 'not-offered' },
      ) ?? false,
    project: override ?? preselected ?? definition.projects[0],
    isProjectFixed: override !== undefined,
    comment:
      decisions.strongest('comment', (value) =>
        definition.allowComment
          ? readText(value, COMMENT_LENGTH, cleanText)
          : { reason: 'not-offered' },
      ) ?? '',
  };
  return { settings, decisions };
}

/** The definition's own suggestions. */
function offeredIn(giftArray: readonly GiftOption[]): Suggestions {
  const place = giftArray.findIndex(({ isDefault }) => isDefault);
  return {
    options: giftArray,
    selected: place < 0 ? undefined : place,
    layer: 'definition',
    name: 'giftArray',
  };
}

/**
 * The strongest layer that expresses any selection decides; within it an amount is stronger than a
 * mark on an option (rule 18).
 * An amount that is not listed becomes an option where donors cannot write their own (rule 17).
 */
function selection(
  { options, selected, layer }: Suggestions,
  amount: Valid<number> | undefined,
  allowCustomAmount: boolean,
): SuggestedGifts {
  const isMarked =
    selected !== undefined && (!amount || LAYERS.indexOf(layer) > LAYERS.indexOf(amount.layer));
  if (isMarked) return { giftArray: options, amount: options[selected]!.value, place: selected };
  if (!amount) return { giftArray: options };
  const isListed = allowCustomAmount || options.some(({ value }) => value === amount.value);
  return {
    giftArray: isListed ? options : [{ value: amount.value }, ...options],
    amount: amount.value,
  };
}
