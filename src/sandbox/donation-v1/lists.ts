import type { Context } from 'hono';
import {
  assertKnownNames,
  createRequestError,
  isCalendarDate,
  parseBoolean,
  parseNonNegativeInteger,
} from '../lib/request-parsing.ts';

/** Properties that a list's filter parameters apply to. */
export interface Searchable {
  /** Creation time in ISO 8601. `modified` uses the same format. */
  readonly created: string;
  readonly modified: string;
  readonly isActive: boolean;
  readonly code: string;
  /** Texts in which the list searches for the `searchString` value. */
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
const DEFAULT_PAGE_SIZE = 20;
const MAX_PAGE_SIZE = 200;

/**
 * Responds with one page of a list and the `x-pagination` header (specification, "Optional query
 * parameters" and "Endpoints", rules 1 and 2). Compares dates by UTC day, so both bounds are
 * inclusive. The specification does not define how `code` is matched. The sandbox requires an
 * exact, case-sensitive match.
 * @param extraParameters names of the parameters that only this list accepts.
 * @throws HTTPException if a parameter or value is not documented.
 */
export function createListResponse<Item>(
  c: Context,
  items: readonly Item[],
  {
    toSearchable,
    toRecord,
    extraParameters = [],
    parseDay = (text) => text,
  }: {
    readonly toSearchable: (item: Item) => Searchable;
    readonly toRecord: (item: Item, withDetails: boolean) => object;
    readonly extraParameters?: readonly string[];
    /** Converts a date parameter to the format `yyyy-mm-dd`. */
    readonly parseDay?: ((text: string | undefined) => string | undefined) | undefined;
  },
): Response {
  const query = c.req.query();
  assertKnownNames('parameter', Object.keys(query), [...PARAMETERS, ...extraParameters]);
  const page = parsePositiveInteger('page', query.page, 1);
  const pageSize = Math.min(
    parsePositiveInteger('pageSize', query.pageSize, DEFAULT_PAGE_SIZE),
    MAX_PAGE_SIZE,
  );
  const createdAfter = parseDate('createdAfter', parseDay(query.createdAfter));
  const createdBefore = parseDate('createdBefore', parseDay(query.createdBefore));
  const modifiedOnOrAfter = parseDate('modifiedOnOrAfter', parseDay(query.modifiedOnOrAfter));
  parseBoolean('includeTestTransactions', query.includeTestTransactions);
  const isActiveOnly = parseBoolean('isActiveOnly', query.isActiveOnly);
  const includeDetails = parseBoolean('includeDetails', query.includeDetails) ?? false;
  const text = query.searchString?.toLowerCase();
  const { code } = query;
  const matching = items.filter((item) => {
    const { created, modified, isActive, code: itemCode, keys } = toSearchable(item);
    return (
      (!createdAfter || created.slice(0, 10) >= createdAfter) &&
      (!createdBefore || created.slice(0, 10) <= createdBefore) &&
      (!modifiedOnOrAfter || modified.slice(0, 10) >= modifiedOnOrAfter) &&
      (isActiveOnly === undefined || isActive === isActiveOnly) &&
      (!code || itemCode === code) &&
      (!text || keys.some((key) => key.toLowerCase().includes(text)))
    );
  });
  const totalPages = Math.ceil(matching.length / pageSize);
  const getPageLink = (number: number): string =>
    number >= 1 && number <= totalPages
      ? buildPageUrl(c.req.raw, { ...query, page: String(number), pageSize: String(pageSize) })
      : '';
  c.header(
    'x-pagination',
    JSON.stringify({
      totalCount: matching.length,
      totalPages,
      prevPageLink: getPageLink(page - 1),
      nextPageLink: getPageLink(page + 1),
    }),
  );
  return c.json(
    matching
      .slice((page - 1) * pageSize, page * pageSize)
      .map((item) => toRecord(item, includeDetails)),
  );
}

function buildPageUrl({ url, headers }: Request, query: Readonly<Record<string, string>>): string {
  const { origin, pathname } = new URL(url);
  const isProxied = headers.has('X-Forwarded-Proto');
  const publicOrigin = isProxied ? origin.replace(/^http:/, 'https:') : origin;
  return `${publicOrigin}${pathname}?${new URLSearchParams(query)}`;
}

function parsePositiveInteger(name: string, text: string | undefined, fallback: number): number {
  const number = text === undefined ? fallback : parseNonNegativeInteger(name, text);
  if (number < 1)
    throw createRequestError(`${name} is '${text}'; expected an integer of 1 or more.`);
  return number;
}

function parseDate(name: string, text: string | undefined): string | undefined {
  if (text !== undefined && !isCalendarDate(text))
    throw createRequestError(`${name} is '${text}'; expected a date in the format yyyy-mm-dd.`);
  return text;
}
