import type { HttpPlatformConfiguration } from '@donation-form/core/schemas';
import type { FundraisingClient } from '@donation-form/platform-clients/fundraising';
import { MAX_PAGES, createPageLimitError } from '../lib/page-limit.ts';
import {
  DEFAULT_NOT_RECORDED_STATUSES,
  rethrowCreateError,
  rethrowIdempotentCallError,
} from './rethrow-errors.ts';
import type { GiftChange, PlatformAdapter, ListedPlatformGift } from './platform-adapter.ts';
import { fillBodyTemplate, fillPathTemplate, getValueAtPath } from './body-template.ts';

/** Page size of lists, which is the recommended maximum (Fundraising Platform API, "take"). */
const PAGE_SIZE = 100;

/**
 * Creates an adapter that makes the configured calls, because the specification defines no call
 * that creates or finds a gift. If no lookup is configured, an ambiguous create call needs review.
 */
export function createHttpAdapter(
  client: FundraisingClient,
  {
    record,
    find,
    update,
    list,
  }: Pick<HttpPlatformConfiguration, 'record' | 'find' | 'update' | 'list'>,
): PlatformAdapter {
  const { notRecordedStatuses = DEFAULT_NOT_RECORDED_STATUSES } = record;
  return {
    async createGift(gift) {
      const { body } = await client
        .call('POST', fillPathTemplate(record.path, gift), fillBodyTemplate(record.body, gift))
        .catch((error: unknown) => rethrowCreateError(error, notRecordedStatuses));
      return parseGiftId(body, record.idPath);
    },
    ...(find && {
      async findGiftId(reference: string) {
        const { body } = await client
          .call('GET', fillPathTemplate(find.path, { reference }))
          .catch(rethrowIdempotentCallError);
        return isGiftMissing(body, find.idPath) ? undefined : parseGiftId(body, find.idPath);
      },
    }),
    ...(update && {
      async updateGift(change: GiftChange) {
        await client
          .call(
            update.method,
            fillPathTemplate(update.path, change),
            fillBodyTemplate(update.body, change),
          )
          .catch(rethrowIdempotentCallError);
      },
    }),
    ...(list && { iterateGifts: (from: Date, to: Date) => iterateGifts(client, list, from, to) }),
  };
}

/**
 * Yields gifts, which it fetches page by page.
 * @throws if a response has no list at the configured path, or an item has no ID.
 */
async function* iterateGifts(
  client: FundraisingClient,
  {
    path,
    itemsPath,
    referencePath,
    idPath,
    amountPath,
  }: NonNullable<HttpPlatformConfiguration['list']>,
  from: Date,
  to: Date,
): AsyncGenerator<ListedPlatformGift> {
  let before: unknown;
  let skip = 0;
  for (let pages = 0; ; pages += 1) {
    const { body } = await client
      .call(
        'GET',
        fillPathTemplate(path, {
          from: from.toISOString(),
          to: to.toISOString(),
          skip: String(skip),
          take: String(PAGE_SIZE),
        }),
      )
      .catch(rethrowIdempotentCallError);
    const items = getValueAtPath(body, itemsPath);
    if (!Array.isArray(items))
      throw new Error(`the platform's response has no list at ${itemsPath}`);
    if (items.length === 0) return;
    if (pages === MAX_PAGES) throw createPageLimitError("the platform's list of gifts", MAX_PAGES);
    const first = JSON.stringify(items[0]);
    if (first === before)
      throw new Error(`the platform returned the same page again after skipping ${skip} gifts`);
    before = first;
    skip += items.length;
    for (const item of items) {
      const reference = getValueAtPath(item, referencePath);
      const amount = amountPath === undefined ? undefined : getValueAtPath(item, amountPath);
      // Gifts from other sources are skipped.
      if (typeof reference === 'string' && reference !== '')
        yield {
          platformId: parseGiftId(item, idPath),
          reference,
          ...((typeof amount === 'string' || typeof amount === 'number') && {
            total: String(amount),
          }),
        };
    }
  }
}

/**
 * Returns true if a lookup found no gift, which means that a list on the path to the ID is too
 * short, or that a value on the path is null.
 */
function isGiftMissing(body: unknown, path: string): boolean {
  let value = body;
  for (const name of path.split('.')) {
    if (
      value === null ||
      (Array.isArray(value) && /^\d+$/.test(name) && Number(name) >= value.length)
    )
      return true;
    value = getValueAtPath(value, name);
  }
  return value === null;
}

/** Parses the gift ID at the given path. @throws if there is no ID. */
function parseGiftId(body: unknown, path: string): number {
  const value = getValueAtPath(body, path);
  const id = typeof value === 'string' && /^[1-9]\d{0,14}$/.test(value) ? Number(value) : value;
  if (!Number.isSafeInteger(id) || (id as number) <= 0)
    throw new Error(`the platform's response has no whole number at ${path}`);
  return id as number;
}
