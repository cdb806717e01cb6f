import { FIELDS } from './layout.ts';

/** A state of the model: one byte for each field. */
export type State = Uint8Array;

export const FIELD_COUNT = FIELDS.length;

/** Number of 32-bit words in a packed state. */
export const WORDS = 4;

const WIDTHS = FIELDS.map(([, max]) => 32 - Math.clz32(max));
const PLACES: { readonly word: number; readonly shift: number }[] = [];
let word = 0;
let shift = 0;
for (const width of WIDTHS) {
  if (shift + width > 32) {
    word += 1;
    shift = 0;
  }
  PLACES.push({ word, shift });
  shift += width;
}
if (word >= WORDS) throw new Error(`a state needs ${word + 1} words`);

const WORD_OF = Uint8Array.from(PLACES, (place) => place.word);
const SHIFT_OF = Uint8Array.from(PLACES, (place) => place.shift);
const MASK_OF = Uint32Array.from(WIDTHS, (width) => 2 ** width - 1);
const DISTINCT_VALUES = FIELDS.map(([, , distinct], index) =>
  Uint8Array.from({ length: 2 ** WIDTHS[index]! }, (_one, value) => distinct?.(value) ?? value),
);

/** Index of the first field in each word, and the number of fields. */
const WORD_STARTS = Uint8Array.from({ length: WORDS + 1 }, (_one, index) => {
  const start = PLACES.findIndex((place) => place.word >= index);
  return start < 0 ? FIELD_COUNT : start;
});

/** Packs a state into `target`. */
export function packState(state: State, target: Uint32Array): void {
  for (let index = 0; index < WORDS; index += 1) {
    const end = WORD_STARTS[index + 1]!;
    let packed = 0;
    for (let field = WORD_STARTS[index]!; field < end; field += 1)
      packed |= state[field]! << SHIFT_OF[field]!;
    target[index] = packed;
  }
}

/** Packs a state without its clocks and counters. */
export function packDistinct(state: State, target: Uint32Array): void {
  target.fill(0);
  for (let index = 0; index < FIELD_COUNT; index += 1)
    target[WORD_OF[index]!]! |= DISTINCT_VALUES[index]![state[index]!]! << SHIFT_OF[index]!;
}

/** Unpacks the state at `offset` into `target`. */
export function unpackState(words: Uint32Array, offset: number, target: State): void {
  for (let index = 0; index < FIELD_COUNT; index += 1)
    target[index] = (words[offset + WORD_OF[index]!]! >>> SHIFT_OF[index]!) & MASK_OF[index]!;
}

/** Describes the fields of a state that are not zero, for error messages. */
export function describeState(state: State): string {
  return FIELDS.map(([name], index) => `${name}=${state[index]}`)
    .filter((_one, index) => state[index] !== 0)
    .join(' ');
}
