import type { CurrencyOffer, FormDefinition, GiftOption, ProjectOffer } from '../contract/form-definition.ts';
import { CODE_LENGTH, COMMENT_LENGTH, DONOR_FIELD_LENGTHS, DONOR_FIELDS, cleanLine, cleanText, type DonorField } from '../model/donor.ts';
import { GIFT_FREQUENCIES, type GiftFrequency } from '../model/frequency.ts';
import { parseAmount } from '../model/money.ts';
import type { Candidate, IgnoreReason, Ignored, Layer, SettingName } from './candidate.ts';
import { own } from './global.ts';

/** What the form starts from: every layer below the donor, merged. A new merge replaces it; nothing edits it. */
export interface Settings {
  readonly currency: CurrencyOffer;
  readonly giftArray: readonly GiftOption[];
  /** Minor units; absent where nothing is suggested. */
  readonly amount?: number;
  readonly frequency: GiftFrequency;
  readonly coverCosts: boolean;
  readonly project: ProjectOffer;
  /** True where an override fixes the project: it is shown, and not chosen. */
  readonly isProjectFixed: boolean;
  readonly donor: Readonly<Partial<Record<DonorField, string>>>;
  readonly comment: string;
  readonly segment?: string;
}

/** Where a value came from. */
export interface Origin {
  readonly layer: Layer;
  readonly name: string;
}

export interface Merge {
  readonly settings: Settings;
  /** For each setting that some layer decided, which. */
  readonly origins: Readonly<Partial<Record<SettingName, Origin>>>;
  readonly ignored: readonly Ignored[];
}

/** A value that was read, or the reason why it was not. */
type Reading<Value> = { readonly value: Value } | { readonly reason: IgnoreReason };

/**
 * Merges what was found with the form's definition. Of each setting the first valid candidate counts; the others are reported.
 * @param candidates the strongest layer first, and within it the strongest name first.
 */
export function merge(definition: FormDefinition, candidates: readonly Candidate[]): Merge {
  const origins: Partial<Record<SettingName, Origin>> = {};
  const ignored: Ignored[] = [];

  function strongest<Value>(setting: SettingName, read: (value: unknown) => Reading<Value>): Value | undefined {
    let winner: Value | undefined;
    for (const { layer, name, value } of candidates.filter((candidate) => candidate.setting === setting)) {
      const reading = guarded(read, value);
      if (winner === undefined && 'value' in reading) [winner, origins[setting]] = [reading.value, { layer, name }];
      else ignored.push({ setting, layer, name, reason: 'reason' in reading ? reading.reason : layer === origins[setting]?.layer ? 'repeated' : 'beaten' });
    }
    return winner;
  }

  const currency = strongest('currency', (value) => among(definition.currencies, ({ code }) => code === wordOf(value).toUpperCase())) ?? definition.currencies[0];
  const readAmount = (value: unknown): Reading<number> => {
    const amount = typeof value === 'string' || typeof value === 'number' ? parseAmount(String(value), currency) : undefined;
    return amount !== undefined && amount >= currency.minimum && amount <= currency.maximum ? { value: amount } : { reason: 'invalid' };
  };
  const options = strongest('giftArray', (value) => readGiftArray(value, readAmount));
  const giftArray = options?.map(({ value, ...texts }) => ({ ...described(currency.giftArray, value), ...texts, value })) ?? currency.giftArray;
  const suggested = strongest('amount', readAmount) ?? (giftArray.find((option) => 'isSelected' in option && option.isSelected) ?? giftArray.find(({ isDefault }) => isDefault))?.value;
  const readProject = (value: unknown): Reading<ProjectOffer> => among(definition.projects, ({ id, code }) => [code ?? id, id].includes(wordOf(value)));
  const override = strongest('projectOverride', readProject), preselected = strongest('projectPreselect', readProject);
  const segment = strongest('segment', (value) => readText(value, CODE_LENGTH));
  const donor = Object.fromEntries(DONOR_FIELDS.flatMap((name) => {
    const isOffered = definition.donorFields.some((field) => field.name === name);
    const value = strongest(name, (given) => (isOffered ? readText(given, DONOR_FIELD_LENGTHS[name]) : { reason: 'not-offered' }));
    return value === undefined ? [] : [[name, value]];
  }));

  const settings: Settings = {
    currency, giftArray, donor,
    ...(suggested !== undefined && { amount: suggested }),
    frequency: strongest('frequency', (value) => readFrequency(value, definition.frequencies)) ?? definition.frequencies[0],
    coverCosts: strongest('coverCosts', (value) => (currency.costs ? readBoolean(value) : { reason: 'not-offered' })) ?? false,
    project: override ?? preselected ?? definition.projects[0],
    isProjectFixed: override !== undefined,
    comment: strongest('comment', (value) => (definition.acceptsComment ? readText(value, COMMENT_LENGTH, cleanText) : { reason: 'not-offered' })) ?? '',
    ...(segment !== undefined && { segment }),
  };
  return { settings, origins, ignored };
}

/** What a page puts into its settings may throw when it is read. */
function guarded<Value>(read: (value: unknown) => Reading<Value>, value: unknown): Reading<Value> {
  try {
    return read(value);
  } catch {
    return { reason: 'invalid' };
  }
}

/** A value of an address or a setting as a word; anything that is neither text, number nor boolean is none. */
function wordOf(value: unknown): string {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value).trim() : '';
}

function among<Item>(items: readonly Item[], fits: (item: Item) => boolean): Reading<Item> {
  const value = items.find(fits);
  return value === undefined ? { reason: 'not-offered' } : { value };
}

function readText(value: unknown, length: number, clean = cleanLine): Reading<string> {
  if (typeof value !== 'string' && typeof value !== 'number') return { reason: 'invalid' };
  const text = clean(String(value));
  if (text.length > length) return { reason: 'too-long' };
  return text === '' ? { reason: 'invalid' } : { value: text };
}

/** Words that links use for the specification's own (rule 28). */
const TOLERATED: Readonly<Record<string, string>> = { 'one-time': 'once', onetime: 'once', single: 'once', yearly: 'annually', annual: 'annually' };

function readFrequency(value: unknown, offered: readonly GiftFrequency[]): Reading<GiftFrequency> {
  const given = wordOf(value).toLowerCase(), word = Object.hasOwn(TOLERATED, given) ? TOLERATED[given]! : given;
  if (!GIFT_FREQUENCIES.some((frequency) => frequency.toLowerCase() === word)) return { reason: 'invalid' };
  return among(offered, (frequency) => frequency.toLowerCase() === word);
}

function readBoolean(value: unknown): Reading<boolean> {
  const word = wordOf(value).toLowerCase();
  return word === 'true' || word === 'false' ? { value: word === 'true' } : { reason: 'invalid' };
}

/** A list in an address (`25,50,100`), or the global object's array of objects. Bad and double items are left out; 12 at most. */
function readGiftArray(value: unknown, readAmount: (value: unknown) => Reading<number>): Reading<(GiftOption & { readonly isSelected?: boolean })[]> {
  const items: readonly unknown[] = typeof value === 'string' ? value.replace(/^\s*\[|\]\s*$/g, '').split(',').map((item) => ({ value: item }))
    : Array.isArray(value) ? value : [];
  const options = items.flatMap((item) => {
    const reading = readAmount(own(item, 'value'));
    if (!('value' in reading)) return [];
    const text = (name: string) => { const given = own(item, name); return typeof given === 'string' && given.trim() !== '' && { [name]: cleanLine(given).slice(0, 200) }; };
    const mark = (name: string) => own(item, name) === true && { [name]: true };
    return [{ value: reading.value, ...text('description'), ...text('displayValue'), ...mark('isSelected'), ...mark('isDefault') }];
  });
  const kept = typeof value === 'string' ? options.filter((option, index) => options.findIndex((other) => other.value === option.value) === index) : options;
  return kept.length > 0 ? { value: kept.slice(0, 12) } : { reason: 'invalid' };
}

function described(options: readonly GiftOption[], amount: number): Partial<GiftOption> {
  const description = options.find(({ value }) => value === amount)?.description;
  return description === undefined ? {} : { description };
}
