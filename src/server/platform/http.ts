import type { HttpRecorderConfiguration } from '@donation-form/core/schemas';
import type { FundraisingClient } from '@donation-form/platform-clients/fundraising';
import { toAdapterError } from './classify-error.ts';
import type { GiftChange, PlatformAdapter, ListedPlatformGift } from './platform-adapter.ts';
import { fill, fillPath, valueAt } from './body-template.ts';

/**
 * How many gifts of a list are asked for at once: Fundraising Platform API, 'take': the most that
 * it recommends.
 */
const LIST_PAGE = 100;

/**
 * Records at a platform by a call that its operator knows: the specification shows none that
 * records or finds a gift.
 * Where the configuration names no look-up, a gift whose recording may have happened is held for a
 * person.
 */
export function createHttpAdapter(
  client: FundraisingClient,
  {
    record,
    find,
    update,
    list,
  }: Pick<HttpRecorderConfiguration, 'record' | 'find' | 'update' | 'list'>,
): PlatformAdapter {
  return {
    async createGift(gift) {
      const { body } = await client
        .call('POST', fillPath(record.path, gift), fill(record.body, gift))
        .catch(toAdapterError);
      return idIn(body, record.idPath);
    },
    ...(find && {
      async findGift(reference: string) {
        const { body } = await client
          .call('GET', fillPath(find.path, { reference }))
          .catch(toAdapterError);
        return isAbsent(body, find.idPath) ? undefined : idIn(body, find.idPath);
      },
    }),
    ...(update && {
      async updateGift(change: GiftChange) {
        await client
          .call(update.method, fillPath(update.path, change), fill(update.body, change))
          .catch(toAdapterError);
      },
    }),
    ...(list && { listGifts: (from: Date, to: Date) => listGifts(client, list, from, to) }),
  };
}

/**
 * @throws where the answer has no list, or an entry has no reference or id where the
 *   configuration says.
 */
async function* listGifts(
  client: FundraisingClient,
  {
    path,
    itemsPath,
    referencePath,
    idPath,
    amountPath,
  }: NonNullable<HttpRecorderConfiguration['list']>,
  from: Date,
  to: Date,
): AsyncGenerator<ListedPlatformGift> {
  let before: unknown;
  for (let skip = 0; ;) {
    const { body } = await client
      .call(
        'GET',
        fillPath(path, {
          from: from.toISOString(),
          to: to.toISOString(),
          skip: String(skip),
          take: String(LIST_PAGE),
        }),
      )
      .catch(toAdapterError);
    const items = valueAt(body, itemsPath);
    if (!Array.isArray(items))
      throw new Error(`the platform answered, and no list stands at ${itemsPath} of its answer`);
    if (items.length === 0) return;
    const first = JSON.stringify(items[0]);
    if (first === before)
      throw new Error(
        `the platform answered with the same page again where ${skip} gifts were to be passed over`,
      );
    before = first;
    skip += items.length;
    for (const item of items) {
      const reference = valueAt(item, referencePath);
      const amount = amountPath === undefined ? undefined : valueAt(item, amountPath);
      // Gifts of other origins have no reference of ours.
      if (typeof reference === 'string' && reference !== '')
        yield {
          platformId: idIn(item, idPath),
          reference,
          ...((typeof amount === 'string' || typeof amount === 'number') && {
            total: String(amount),
          }),
        };
    }
  }
}

/**
 * Whether an answer says that there is no such gift: a list on the way to the id is too short, or
 * something on it is null. Anything else is an answer that is not understood.
 */
function isAbsent(body: unknown, path: string): boolean {
  let value = body;
  for (const name of path.split('.')) {
    if (
      value === null ||
      (Array.isArray(value) && /^\d+$/.test(name) && Number(name) >= value.length)
    )
      return true;
    value = valueAt(value, name);
  }
  return value === null;
}

/** @throws where no id stands there. */
function idIn(body: unknown, path: string): number {
  const value = valueAt(body, path);
  const id = typeof value === 'string' && /^[1-9]\d{0,14}$/.test(value) ? Number(value) : value;
  if (!Number.isSafeInteger(id) || (id as number) <= 0)
    throw new Error(`the platform answered, and no whole number stands at ${path} of its answer`);
  return id as number;
}
