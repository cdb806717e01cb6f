import { z } from 'zod';
import { GiftStatus, type FundraisingClient } from '@donation-form/platform-clients/fundraising';
import { toAdapterError } from './classify-error.ts';
import type { PlatformAdapter, PlatformGift } from './platform-adapter.ts';

const recorded = z.object({ id: z.int() });
const found = z.object({ items: z.array(recorded) });
const listed = z.object({
  items: z.array(
    z.object({
      id: z.int(),
      reference: z.string(),
      total: z.string(),
      currency: z.string(),
      status: z.enum(GiftStatus),
      created: z.string(),
    }),
  ),
});
const path = '/sandbox/gifts';
const LIST_PAGE = 100;

/**
 * Records at the sandbox platform, by a call of the sandbox's own: the specification shows none
 * that records or finds a gift.
 */
export function createSandboxAdapter(client: FundraisingClient): PlatformAdapter {
  return {
    async createGift(gift) {
      const answer = await client
        .call('POST', path, { ...gift, summary: summaryOf(gift) })
        .catch(toAdapterError);
      return recorded.parse(answer.body).id;
    },
    async findGift(reference) {
      const answer = await client
        .call('GET', `${path}?${new URLSearchParams({ reference })}`)
        .catch(toAdapterError);
      return found.parse(answer.body).items[0]?.id;
    },
    async updateGift({ platformId, giftStatus, recurringGiftStatus, refunded }) {
      const change = {
        ...(giftStatus !== undefined && { status: giftStatus }),
        ...(recurringGiftStatus !== undefined && { recurringStatus: recurringGiftStatus }),
        ...(refunded !== undefined && { refunded }),
      };
      await client.call('PATCH', `${path}/${platformId}`, change).catch(toAdapterError);
    },
    async *listGifts(from, to) {
      for (let skip = 0; ; skip += LIST_PAGE) {
        const { body } = await client
          .call(
            'GET',
            `${path}?${new URLSearchParams({ from: from.toISOString(), to: to.toISOString(), skip: String(skip), take: String(LIST_PAGE) })}`,
          )
          .catch(toAdapterError);
        const { items } = listed.parse(body);
        for (const { id, reference, total, currency, status, created } of items)
          yield { platformId: id, reference, at: new Date(created), total, currency, status };
        if (items.length < LIST_PAGE) return;
      }
    },
  };
}

function summaryOf({ reference, gift, donor, projects, total }: PlatformGift): string {
  const giver = donor.organization ?? [donor.firstName, donor.lastName].filter(Boolean).join(' ');
  return `${giver} gave ${total} ${gift.currency} ${gift.frequency} to ${projects.map(({ name }) => name).join(', ')} (${reference})`;
}
