import type { VirtuousRaiseConfiguration } from '@donation-form/core/schemas';
import { getCurrencyDecimals } from '@donation-form/core/money';
import type { FundraisingClient } from '@donation-form/platform-clients/fundraising';
import { getValueAtPath } from '../../platform/body-template.ts';
import { parseGiftId } from '../../platform/gift-id.ts';
import type { Payment } from '../payment-gateway.ts';

/** Maximum number of gifts to read from a search. A reference normally belongs to only one gift. */
const SEARCH_SIZE = 20;

export type RaiseOptions = Pick<VirtuousRaiseConfiguration, 'currency' | 'body' | 'referencePath'>;

/** A gift in Virtuous Raise that has our reference. */
export interface RaiseGift {
  readonly id: string;
  /** In minor units. */
  readonly total: number;
  readonly currency: string;
  readonly status: Extract<Payment['status'], 'processing' | 'succeeded' | 'failed'>;
}

/**
 * Searches for the gifts that have our reference, with the documented free-text filter:
 * https://docs.virtuous.org/raise/workflows/query-gifts-by-filters
 * @throws if the response has no list of gifts.
 */
export async function findGifts(
  client: FundraisingClient,
  reference: string,
  { currency, referencePath }: RaiseOptions,
): Promise<RaiseGift[]> {
  const query = new URLSearchParams({ Filter: reference, Skip: '0', Take: String(SEARCH_SIZE) });
  const { body } = await client.call('GET', `/api/Gift/list?${query}`);
  const items = getValueAtPath(body, 'items');
  if (!Array.isArray(items)) throw new Error("Virtuous Raise's response has no list of gifts");
  return items
    .filter((item) => String(getValueAtPath(item, referencePath)).includes(reference))
    .map((item) => parseGift(item, currency));
}

/** @throws if the gift has no ID or amount. */
function parseGift(item: unknown, defaultCurrency: string): RaiseGift {
  const amount = getValueAtPath(item, 'amount');
  const currency = getValueAtPath(item, 'currency');
  if (typeof amount !== 'number')
    throw new Error("a gift in Virtuous Raise's response has no valid amount");
  return {
    id: parseGiftId(item, 'id'),
    total: toMinorUnits(amount, defaultCurrency),
    currency: typeof currency === 'string' ? currency : defaultCurrency,
    status: parseStatus(getValueAtPath(item, 'statusText')),
  };
}

/** Converts an amount in major units, as Virtuous Raise sends it, to minor units. */
export function toMinorUnits(amount: number, currency: string): number {
  return Math.round(amount * 10 ** (getCurrencyDecimals(currency) ?? 2));
}

/**
 * The documentation says to read `statusText`, because the numbers in `status` are undocumented.
 */
function parseStatus(statusText: unknown): RaiseGift['status'] {
  if (statusText === 'Pending') return 'processing';
  return ['Declined', 'Voided', 'Error'].includes(String(statusText)) ? 'failed' : 'succeeded';
}
