import { cleanLine } from '../donor/donor.ts';
import type { GiftOption } from '../schemas/form-definition.ts';
import { listItems } from './from-page-settings.ts';
import type { ItemError, ParseResult } from './parsers.ts';
import { getOwnProperty } from './read-global.ts';
import type { SettingSource } from './setting-source.ts';

const MAX_AMOUNTS_IN_LINK = 100;

interface ParsedGiftArray {
  readonly options: readonly GiftOption[];
  readonly selected: number | undefined;
  /** True if the descriptions come from sources with lower precedence. */
  readonly isAmountsOnly: boolean;
}

/**
 * Parses text such as `25,50,100`, an array of amounts, or of objects as in `giftInfo.giftArrays`.
 * Omits invalid items, duplicates in text, and amounts after the 100th in a link (rule 22).
 */
export function parseGiftArray(
  value: unknown,
  readAmount: (value: unknown) => ParseResult<number>,
  source: SettingSource,
): ParseResult<ParsedGiftArray> {
  const maxAmounts = source === 'url' || source === 'landing' ? MAX_AMOUNTS_IN_LINK : Infinity;
  const isText = typeof value === 'string';
  const items: readonly unknown[] = isText
    ? value.replace(/^\s*\[|\]\s*$/g, '').split(',')
    : listItems(value);
  const options: GiftOption[] = [];
  const itemErrors: ItemError[] = [];
  const marked: Record<string, number> = {};
  for (const [index, item] of Object.entries(items)) {
    const addError = (reason: ItemError['reason'], path = '', value: unknown = item): void => {
      itemErrors.push({ position: `[${index}]${path}`, value, reason });
    };
    const amount = readAmount(isTextOrNumber(item) ? item : getOwnProperty(item, 'value'));
    if (!('value' in amount)) {
      addError(amount.reason);
      continue;
    }
    if (isText && options.some(({ value }) => value === amount.value)) {
      addError('repeated');
      continue;
    }
    if (options.length === maxAmounts) {
      addError('too-long');
      break;
    }
    const readLabel = (name: string) => {
      const value = getOwnProperty(item, name);
      const label = typeof value === 'string' ? cleanLine(value) : '';
      return label !== '' && { [name]: label };
    };
    for (const mark of ['isSelected', 'isDefault']) {
      if (getOwnProperty(item, mark) !== true) continue;
      if (mark in marked) addError('repeated', `.${mark}`, true);
      else marked[mark] = options.length;
    }
    options.push({
      value: amount.value,
      ...readLabel('description'),
      ...readLabel('displayValue'),
    });
  }
  if (options.length === 0) return { reason: 'invalid' };
  return {
    value: {
      options,
      selected: marked.isSelected ?? marked.isDefault,
      isAmountsOnly: items.every(isTextOrNumber),
    },
    itemErrors,
  };
}

/** Suggested amounts merged from all sources, and the source that selects one of the amounts. */
export interface ResolvedGiftArray {
  readonly options: readonly GiftOption[];
  readonly selected: number | undefined;
  readonly source: SettingSource;
  readonly name: string;
}

/**
 * If the new list selects no amount, keeps the previous selection, but only if the list contains
 * it. If the list has only amounts, keeps the previous descriptions of these amounts.
 */
export function overrideGiftArray(
  weaker: ResolvedGiftArray,
  { options, selected, isAmountsOnly }: ParsedGiftArray,
  source: SettingSource,
  name: string,
): ResolvedGiftArray {
  const listed = isAmountsOnly
    ? options.map((option) => ({
        ...weaker.options.find(({ value }) => value === option.value),
        ...option,
      }))
    : options;
  if (selected !== undefined) return { options: listed, selected, source, name };
  const previousIndex =
    weaker.selected === undefined
      ? -1
      : listed.findIndex(({ value }) => value === weaker.options[weaker.selected!]?.value);
  return { ...weaker, options: listed, selected: previousIndex < 0 ? undefined : previousIndex };
}

function isTextOrNumber(item: unknown): boolean {
  return typeof item === 'string' || typeof item === 'number';
}
