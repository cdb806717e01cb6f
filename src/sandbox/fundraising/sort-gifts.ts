import type { Gift } from '../data/records.ts';
import { createRequestError, formatForMessage } from '../lib/request-parsing.ts';

/** Sort keys by lowercase name. */
const SORT_KEYS: ReadonlyMap<unknown, (gift: Gift) => number> = new Map([
  ['id', ({ id }: Gift) => id],
  ['amount', ({ total }: Gift) => Number(total)],
  ['date', ({ created }: Gift) => Date.parse(created)],
  ['createdate', ({ created }: Gift) => Date.parse(created)],
]);

/**
 * Sorts rows by a gift field.
 * @param sortBy name of the field, in any case; `id` by default.
 * @throws HTTPException for an unknown field.
 */
export function sortByGift<Row>(
  rows: readonly Row[],
  getGift: (row: Row) => Gift,
  { sortBy = 'id', isDescending }: { readonly sortBy?: unknown; readonly isDescending: boolean },
): readonly Row[] {
  const getKey = SORT_KEYS.get(typeof sortBy === 'string' ? sortBy.toLowerCase() : sortBy);
  if (!getKey)
    throw createRequestError(
      `sortBy is ${formatForMessage(sortBy)}; expected one of ${[...SORT_KEYS.keys()].join(', ')}.`,
    );
  const ascending = rows.toSorted((a, b) => getKey(getGift(a)) - getKey(getGift(b)));
  return isDescending ? ascending.reverse() : ascending;
}
