import type { FundraisingClient } from '@donation-form/platform-clients/fundraising';
import { rethrowIdempotentCallError } from '../../platform/rethrow-errors.ts';
import { GiftNotCreatedError, type PlatformAdapter } from '../../platform/platform-adapter.ts';
import type { PaymentGateway } from '../payment-gateway.ts';
import { findGifts, type RaiseOptions } from './raise-client.ts';
import { createRaiseGateway } from './raise-gateway.ts';

/** Number of gift IDs to remember, so that the outbox does not have to search for them. */
const MAX_REMEMBERED_GIFTS = 1_000;

/** Virtuous Raise as payment provider and platform at once. */
export interface VirtuousRaise {
  readonly gateway: PaymentGateway;
  readonly platform: PlatformAdapter;
}

/**
 * Creates both ports of Virtuous Raise: the gateway charges and records a gift in one call, and the
 * platform adapter only links the donation to that gift. Refunds are for a person, because Virtuous
 * Raise learns only of those made there.
 * @param clients one for charges, which do not wait for a backoff, and one for searches.
 */
export function createVirtuousRaise(
  clients: { readonly charges: FundraisingClient; readonly searches: FundraisingClient },
  options: RaiseOptions,
): VirtuousRaise {
  const giftIds = new Map<string, number>();
  const findGiftId = async (reference: string): Promise<number | undefined> => {
    const [gift] = await findGifts(clients.searches, reference, options).catch(
      rethrowIdempotentCallError,
    );
    return gift?.id;
  };
  return {
    gateway: createRaiseGateway(clients.charges, options, (reference, giftId) => {
      giftIds.set(reference, giftId);
      if (giftIds.size > MAX_REMEMBERED_GIFTS) giftIds.delete(giftIds.keys().next().value!);
    }),
    platform: {
      isCreateIdempotent: true,
      acceptsOnlySettledGifts: true,
      async createGift({ reference }) {
        const id = giftIds.get(reference) ?? (await findGiftId(reference));
        if (id === undefined)
          throw new GiftNotCreatedError('the search does not show the gift yet', {
            cause: undefined,
            isRejected: true,
          });
        return id;
      },
      findGiftId,
    },
  };
}
