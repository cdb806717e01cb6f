import type { Context } from 'hono';
import { isDay } from '../fundraising/query.ts';
import { readDigits, readFlag, refusal, refuseUnknown } from '../lib/request-parsing.ts';

/** What a list looks at in each of its objects. */
export interface Searchable {
  /** ISO 8601, as is `modified`. */
  readonly created: string;
  readonly modified: string;
  readonly isActive: boolean;
  readonly code: string;
  /** The key properties that `searchString` looks in. */
  readonly keys: readonly string[];
}

const PARAMETERS = [
  'page',
  'pageSize',
  'createdAfter',
  'createdBefore',
  'modifiedOnOrAfter',
  'includeTestTransactions',
  'includeDetails',
  'searchString',
  'code',
  'isActiveOnly',
];
const PAGE_SIZE = 20;
const LARGEST_PAGE = 200;

/**
 * Answers one page of a list, with the header x-pagination ('Optional query parameters',
 * 'Endpoints', rules 1 and 2).
 * Dates are compared by the UTC day, so that both ends are in; that a code matches whole and in its
 * case is the sandbox's own.
 * @param further parameters of this list only.
 * @throws a refusal for a parameter or a value that is not documented.
 */
export function answerList<Item>(
  c: Context,
  items: readonly Item[],
  {
    of,
    write,
    further = [],
  }: {
    readonly of: (item: Item) => Searchable;
    readonly write: (item: Item, withDetails: boolean) => object;
    readonly further?: readonly string[];
  },
): Response {
  const query = c.req.query();
  refuseUnknown('parameter of this list', Object.keys(query), [...PARAMETERS, ...further]);
  const page = readPositive('page', query.page, 1);
  const pageSize = Math.min(readPositive('pageSize', query.pageSize, PAGE_SIZE), LARGEST_PAGE);
  const createdAfter = readDay('createdAfter', query.createdAfter);
  const createdBefore = readDay('createdBefore', query.createdBefore);
  const modifiedOnOrAfter = readDay('modifiedOnOrAfter', query.modifiedOnOrAfter);
  readFlag('includeTestTransactions', query.includeTestTransactions);
  const isActiveOnly = readFlag('isActiveOnly', query.isActiveOnly);
  const withDetails = readFlag('includeDetails', query.includeDetails) ?? false;
  const text = query.searchString?.toLowerCase();
  const { code } = query;
  const matching = items.filter((item) => {
    const { created, modified, isActive, code: own, keys } = of(item);
    return (
      (!createdAfter || created.slice(0, 10) >= createdAfter) &&
      (!createdBefore || created.slice(0, 10) <= createdBefore) &&
      (!modifiedOnOrAfter || modified.slice(0, 10) >= modifiedOnOrAfter) &&
      (isActiveOnly === undefined || isActive === isActiveOnly) &&
      (!code || own === code) &&
      (!text || keys.some((key) => key.toLowerCase().includes(text)))
    );
  });
  const totalPages = Math.ceil(matching.length / pageSize);
  const link = (number: number): string =>
    number >= 1 && number <= totalPages
      ? linkTo(c.req.raw, { ...query, page: String(number), pageSize: String(pageSize) })
      : '';
  c.header(
    'x-pagination',
    JSON.stringify({
      totalCount: matching.length,
      totalPages,
      prevPageLink: link(page - 1),
      nextPageLink: link(page + 1),
    }),
  );
  return c.json(
    matching.slice((page - 1) * pageSize, page * pageSize).map((item) => write(item, withDetails)),
  );
}

function linkTo({ url, headers }: Request, query: Readonly<Record<string, string>>): string {
  const { origin, pathname } = new URL(url);
  return `${headers.has('X-Forwarded-Proto') ? origin.replace(/^http:/, 'https:') : origin}${pathname}?${new URLSearchParams(query)}`;
}

function readPositive(name: string, written: string | undefined, fallback: number): number {
  const number = written === undefined ? fallback : readDigits(name, written);
  if (number < 1) throw refusal(`${name} is '${written}'; expected 1 or more.`);
  return number;
}

function readDay(name: string, written: string | undefined): string | undefined {
  if (written !== undefined && !isDay(written))
    throw refusal(`${name} is '${written}'; expected a date as yyyy-mm-dd.`);
  return written;
}
