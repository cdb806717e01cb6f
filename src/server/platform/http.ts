import type { HttpPlatformConfiguration } from '@donation-form/core/schemas';
import type { FundraisingClient } from '@donation-form/platform-clients/fundraising';
import { createTooManyPagesError, MAX_PAGES } from '../lib/page-limit.ts';
import { toIntegerGiftId } from '../lib/to-integer-gift-id.ts';
import {
  assertPlaceholdersAreKnown,
  CHANGE_NAMES,
  fillBodyTemplate,
  fillPathTemplate,
  getValueAtPath,
  GIFT_NAMES,
  LIST_NAMES,
  type TemplateValues,
} from './body-template.ts';
import { parseGiftId } from './gift-id.ts';
import { connectAdapter, type Platform } from './platform.ts';
import type { GiftChange, ListedPlatformGift, PlatformAdapter } from './platform-adapter.ts';
import { rethrowCreateError, rethrowIdempotentCallError } from './rethrow-errors.ts';

/** The recommended maximum (Fundraising Platform API, "take"). */
const PAGE_SIZE = 100;

export const httpPlatform: Platform<HttpPlatformConfiguration> = {
  assertValid({ record, find, update, list }, _organization, at) {
    for (const [template, names] of [
      [record, GIFT_NAMES],
      [[find?.path, find?.body], ['reference']],
      [update ?? '', CHANGE_NAMES],
      [[list?.path, list?.body], LIST_NAMES],
    ] as const)
      assertPlaceholdersAreKnown(template, names, `${at}.platform`);
  },
  connect: (configuration, createClient) =>
    connectAdapter(createClient, (client) => createHttpAdapter(client, configuration)),
};

/**
 * The specification defines no call that creates or finds a gift, so all calls are configured.
 * Without a lookup, a create call with an unknown result needs review.
 */
export function createHttpAdapter(
  client: FundraisingClient,
  configuration: Pick<
    HttpPlatformConfiguration,
    'record' | 'find' | 'findDelaySeconds' | 'update' | 'list'
  >,
): PlatformAdapter {
  const { record, find, findDelaySeconds, update, list } = configuration;
  return {
    async createGift(gift) {
      const { body } = await client
        .call('POST', fillPathTemplate(record.path, gift), fillBodyTemplate(record.body, gift))
        .catch((error: unknown) => rethrowCreateError(error, record.notRecordedStatuses));
      return parseGiftId(body, record.idPath);
    },
    ...(find && {
      findDelay: findDelaySeconds === undefined ? undefined : findDelaySeconds * 1_000,
      async findGiftId(reference: string) {
        const body = await callIdempotently(client, find, { reference });
        if (isGiftMissing(body, find.idPath)) return undefined;
        assertReferenceMatches(body, find.referencePath, reference);
        return parseGiftId(body, find.idPath);
      },
    }),
    ...(update && {
      refundsOnlyWholeGifts: update.partialRefunds === false,
      async updateGift(change: GiftChange) {
        await client
          .call(
            update.method,
            fillPathTemplate(update.path, change),
            fillBodyTemplate(update.body, {
              ...change,
              platformId: toIntegerGiftId(change.platformId) ?? change.platformId,
            }),
          )
          .catch(rethrowIdempotentCallError);
      },
    }),
    ...(list && { iterateGifts: (from: Date, to: Date) => iterateGifts(client, list, from, to) }),
  };
}

/** Makes a call that is safe to repeat: GET, or POST if a body is configured. */
async function callIdempotently(
  client: FundraisingClient,
  { path, body: template }: { readonly path: string; readonly body?: unknown },
  values: TemplateValues,
): Promise<unknown> {
  const filledPath = fillPathTemplate(path, values);
  const { body } = await (
    template === undefined
      ? client.call('GET', filledPath)
      : client.call('POST', filledPath, fillBodyTemplate(template, values))
  ).catch(rethrowIdempotentCallError);
  return body;
}

/** @throws if a response has no list at the configured path, or an item has no ID. */
async function* iterateGifts(
  client: FundraisingClient,
  list: NonNullable<HttpPlatformConfiguration['list']>,
  from: Date,
  to: Date,
): AsyncGenerator<ListedPlatformGift> {
  const { itemsPath, referencePath, idPath, amountPath } = list;
  const period = { from: from.toISOString(), to: to.toISOString() };
  const days = { fromDay: period.from.slice(0, 10), toDay: period.to.slice(0, 10) };
  let before: unknown;
  let skip = 0;
  for (let pages = 0; ; pages += 1) {
    const values = { ...period, ...days, skip, take: PAGE_SIZE };
    const body = await callIdempotently(client, list, values);
    const items = getValueAtPath(body, itemsPath);
    if (!Array.isArray(items))
      throw new Error(`the platform's response has no list at ${itemsPath}`);
    if (items.length === 0) return;
    if (pages === MAX_PAGES)
      throw createTooManyPagesError("the platform's list of gifts", MAX_PAGES);
    const first = JSON.stringify(items[0]);
    if (first === before)
      throw new Error(`the platform returned the same page again after skipping ${skip} gifts`);
    before = first;
    skip += items.length;
    for (const item of items) {
      const reference = getValueAtPath(item, referencePath);
      const amount = amountPath === undefined ? undefined : getValueAtPath(item, amountPath);
      // Skip gifts from other sources, which have no reference.
      if (typeof reference === 'string' && reference !== '')
        yield {
          platformId: parseGiftId(item, idPath),
          reference,
          ...((typeof amount === 'string' || typeof amount === 'number') && {
            total: normalizeAmount(String(amount)),
          }),
        };
    }
  }
}

/** True if the path to the ID leads to null or past the end of a list. */
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

/** A platform may ignore an unknown search condition and return another gift. */
function assertReferenceMatches(body: unknown, path: string | undefined, reference: string): void {
  const found = path === undefined ? reference : getValueAtPath(body, path);
  if (found !== reference)
    throw new Error(
      `the platform's lookup found a gift with another reference at ${path}; expected ${reference}`,
    );
}

/** Removes a dollar sign and thousands separators: `$1,200.00` becomes `1200.00`. */
function normalizeAmount(text: string): string {
  return /^\$?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/.test(text) ? text.replaceAll(/[$,]/g, '') : text;
}
