import type { GiftOption } from '../schemas/form-definition.ts';
import { cleanLine } from '../donor/donor.ts';
import type { Layer } from './setting-source.ts';
import { own } from './read-global.ts';
import { itemsOf } from './from-page-settings.ts';
import type { Fault, Reading } from './parsers.ts';

/** How many gifts are suggested at most. */
const MOST = 12;
const TEXT_LENGTH = 200;

/** Suggested gifts as one layer lists them. */
export interface GiftList {
  readonly options: readonly GiftOption[];
  /** The place of the option that the list selects. */
  readonly selected: number | undefined;
  /** Amounts alone, which keep the descriptions of the list that they replace. */
  readonly isBare: boolean;
}

/**
 * Reads a list as an address writes it (`25,50,100`), or an array: of amounts, or of objects as in
 * `giftInfo.giftArrays`.
 * Bad items, and double ones of an address, are left out; 12 count at most.
 */
export function readGiftList(
  value: unknown,
  readAmount: (value: unknown) => Reading<number>,
): Reading<GiftList> {
  const isText = typeof value === 'string';
  const items: readonly unknown[] = isText
    ? value.replace(/^\s*\[|\]\s*$/g, '').split(',')
    : itemsOf(value);
  const options: GiftOption[] = [];
  const faults: Fault[] = [];
  const marked: Record<string, number> = {};
  items.forEach((item, index) => {
    const fault = (reason: Fault['reason'], at = '', value: unknown = item): void => {
      faults.push({ at: `[${index}]${at}`, value, reason });
    };
    const reading = readAmount(isPlain(item) ? item : own(item, 'value'));
    if (!('value' in reading)) return fault(reading.reason);
    if (isText && options.some((option) => option.value === reading.value))
      return fault('repeated');
    if (options.length === MOST) return fault('too-long');
    const text = (name: string) => {
      const given = own(item, name);
      const clean = typeof given === 'string' ? cleanLine(given) : '';
      if (clean.length > TEXT_LENGTH) fault('too-long', `.${name}`, given);
      return clean !== '' && clean.length <= TEXT_LENGTH && { [name]: clean };
    };
    for (const mark of ['isSelected', 'isDefault']) {
      if (own(item, mark) !== true) continue;
      if (mark in marked) fault('repeated', `.${mark}`, true);
      else marked[mark] = options.length;
    }
    options.push({ value: reading.value, ...text('description'), ...text('displayValue') });
  });
  if (options.length === 0) return { reason: 'invalid' };
  return {
    value: {
      options,
      selected: marked.isSelected ?? marked.isDefault,
      isBare: items.every(isPlain),
    },
    faults,
  };
}

/** What is suggested, and which layer selects one of it. */
export interface Suggestions {
  readonly options: readonly GiftOption[];
  readonly selected: number | undefined;
  readonly layer: Layer;
  /** The name that the selecting list came by. */
  readonly name: string;
}

/**
 * A list takes the place of a weaker one: a selection stays where its amount is still listed, and
 * descriptions stay at amounts that come without.
 */
export function replaceList(
  weaker: Suggestions,
  { options, selected, isBare }: GiftList,
  layer: Layer,
  name: string,
): Suggestions {
  const listed = isBare
    ? options.map((option) => ({
        ...weaker.options.find(({ value }) => value === option.value),
        ...option,
      }))
    : options;
  if (selected !== undefined) return { options: listed, selected, layer, name };
  const kept =
    weaker.selected === undefined
      ? -1
      : listed.findIndex(({ value }) => value === weaker.options[weaker.selected!]?.value);
  return { ...weaker, options: listed, selected: kept < 0 ? undefined : kept };
}

function isPlain(item: unknown): boolean {
  return typeof item === 'string' || typeof item === 'number';
}
