import { z } from 'zod';
import { type FundraisingClient, GiftStatus } from '@donation-form/platform-clients/fundraising';
import { createTooManyPagesError, MAX_PAGES } from '../lib/page-limit.ts';
import { connectAdapter, type Platform, type PlatformConfigurationOf } from './platform.ts';
import type { PlatformAdapter, PlatformGift } from './platform-adapter.ts';
import { rethrowCreateError, rethrowIdempotentCallError } from './rethrow-errors.ts';

const giftId = z.int().transform(String);
const giftSchema = z.object({ id: giftId });
const searchSchema = z.object({ items: z.array(giftSchema) });
const listSchema = z.object({
  items: z.array(
    z.object({
      id: giftId,
      reference: z.string(),
      total: z.string(),
      currency: z.string(),
      status: z.enum(GiftStatus),
      created: z.string(),
    }),
  ),
});
const PATH = '/sandbox/gifts';
const PAGE_SIZE = 100;

export const sandboxPlatform: Platform<PlatformConfigurationOf<'sandbox'>> = {
  connect: (_configuration, createClient) => connectAdapter(createClient, createSandboxAdapter),
};

/** Uses the sandbox's own calls, because the specification defines none. */
export function createSandboxAdapter(
  client: FundraisingClient,
  { maxPages = MAX_PAGES }: { readonly maxPages?: number } = {},
): PlatformAdapter {
  return {
    async createGift(gift) {
      const response = await client
        .call('POST', PATH, { ...gift, summary: formatGiftSummary(gift) })
        .catch((error: unknown) => rethrowCreateError(error));
      return giftSchema.parse(response.body).id;
    },
    async findGiftId(reference) {
      const response = await client
        .call('GET', `${PATH}?${new URLSearchParams({ reference })}`)
        .catch(rethrowIdempotentCallError);
      return searchSchema.parse(response.body).items[0]?.id;
    },
    async updateGift({ platformId, giftStatus, recurringGiftStatus, refunded }) {
      const change = {
        ...(giftStatus !== undefined && { status: giftStatus }),
        ...(recurringGiftStatus !== undefined && { recurringStatus: recurringGiftStatus }),
        ...(refunded !== undefined && { refunded }),
      };
      await client.call('PATCH', `${PATH}/${platformId}`, change).catch(rethrowIdempotentCallError);
    },
    async *iterateGifts(from, to) {
      for (let page = 0; page < maxPages; page += 1) {
        const query = new URLSearchParams({
          from: from.toISOString(),
          to: to.toISOString(),
          skip: String(page * PAGE_SIZE),
          take: String(PAGE_SIZE),
        });
        const { body } = await client
          .call('GET', `${PATH}?${query}`)
          .catch(rethrowIdempotentCallError);
        const { items } = listSchema.parse(body);
        for (const { id, reference, total, currency, status, created } of items)
          yield { platformId: id, reference, at: new Date(created), total, currency, status };
        if (items.length < PAGE_SIZE) return;
      }
      throw createTooManyPagesError("the platform's list of gifts", maxPages);
    },
  };
}

function formatGiftSummary({ reference, gift, donor, projects, total }: PlatformGift): string {
  const donorName =
    donor.organization ?? [donor.firstName, donor.lastName].filter(Boolean).join(' ');
  const projectNames = projects.map(({ name }) => name).join(', ');
  return `${donorName} gave ${total} ${gift.currency} ${gift.frequency} to ${projectNames} (${reference})`;
}
