/**
 * A state of the model: one byte for each field. Fields marked as `ignored` are clocks and counters,
 * so they do not make a state distinct.
 */
export type State = Uint8Array;

interface Field {
  readonly name: string;
  readonly max: number;
  /** Converts the value for counting distinct states. */
  readonly distinct?: (value: number) => number;
}

const ignored = (): number => 0;
/** Keeps only whether the time is set. */
const isSet = (value: number): number => Math.min(value, 1);

const forServers = (create: (server: number) => readonly Field[]): readonly Field[] =>
  [0, 1].flatMap(create);

const FIELDS: readonly Field[] = [
  // The donation's row.
  { name: 'status', max: 6 },
  { name: 'hasPaymentId', max: 1 },
  { name: 'wasProcessing', max: 1 },
  { name: 'chargeAge', max: 3, distinct: ignored },
  { name: 'due', max: 2, distinct: ignored },
  { name: 'lock', max: 1, distinct: ignored },
  // The payment provider.
  { name: 'payment', max: 6 },
  { name: 'charges', max: 2 },
  { name: 'refunded', max: 1 },
  { name: 'lateCharge', max: 1 },
  { name: 'paymentWebhook', max: 1 },
  { name: 'refundWebhook', max: 1 },
  // The outbox and the platform.
  { name: 'gift', max: 4 },
  { name: 'giftDispatch', max: 3, distinct: isSet },
  { name: 'giftDue', max: 1, distinct: ignored },
  { name: 'updateKind', max: 2 },
  { name: 'update', max: 4 },
  { name: 'updateDue', max: 1, distinct: ignored },
  { name: 'refunds', max: 2 },
  { name: 'refund', max: 4 },
  { name: 'refundDue', max: 1, distinct: ignored },
  { name: 'isBackingOff', max: 1, distinct: ignored },
  { name: 'gifts', max: 2 },
  { name: 'lateGift', max: 1 },
  { name: 'giftStatus', max: 3 },
  { name: 'giftRefunded', max: 1 },
  // What may still go wrong, or be repeated.
  { name: 'faults', max: 3, distinct: ignored },
  { name: 'requests', max: 3, distinct: ignored },
  { name: 'clockSteps', max: 1, distinct: ignored },
  // The payment operation and the relay of each server.
  ...forServers((server) => [
    { name: `step${server}`, max: 15 },
    { name: `seenStatus${server}`, max: 6 },
    { name: `seenPaymentId${server}`, max: 1 },
    { name: `seenAge${server}`, max: 3, distinct: ignored },
    { name: `isStale${server}`, max: 1 },
    { name: `isFirst${server}`, max: 1 },
    { name: `mayWait${server}`, max: 1, distinct: ignored },
    { name: `result${server}`, max: 6 },
    { name: `webhook${server}`, max: 2 },
    { name: `relayStep${server}`, max: 7 },
    { name: `relayEvent${server}`, max: 2 },
    { name: `relayDispatch${server}`, max: 3, distinct: isSet },
    { name: `hasClaim${server}`, max: 1 },
  ]),
];

export const FIELD_COUNT = FIELDS.length;

/** Returns the index of a field. */
export function fieldIndex(name: string): number {
  const index = FIELDS.findIndex((field) => field.name === name);
  if (index < 0) throw new Error(`no field ${name}`);
  return index;
}

/** Number of 32-bit words in a packed state. */
export const WORDS = 4;

const WIDTHS = FIELDS.map(({ max }) => 32 - Math.clz32(max));
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
const DISTINCT_VALUES = FIELDS.map(({ max, distinct }) =>
  Uint8Array.from({ length: 2 ** (32 - Math.clz32(max)) }, (_one, value) =>
    distinct ? distinct(value) : value,
  ),
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
  return FIELDS.map(({ name }, index) => `${name}=${state[index]}`)
    .filter((_one, index) => state[index] !== 0)
    .join(' ');
}
