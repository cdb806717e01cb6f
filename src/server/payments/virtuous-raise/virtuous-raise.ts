import type { FundraisingClient } from '@donation-form/platform-clients/fundraising';
import { rethrowIdempotentCallError } from '../../platform/rethrow-errors.ts';
import { GiftNotCreatedError, type PlatformAdapter } from '../../platform/platform-adapter.ts';
import type { PaymentGateway } from '../payment-gateway.ts';
import { findGifts, type RaiseOptions } from './raise-client.ts';
import { createRaiseGateway } from './raise-gateway.ts';

/** Maximum number of gift IDs to keep in memory, which saves the outbox from searching for them. */
const MAX_REMEMBERED_GIFTS = 1_000;

/** Virtuous Raise, which is both the payment provider and the platform. */
export interface VirtuousRaise {
  readonly gateway: PaymentGateway;
  readonly platform: PlatformAdapter;
}

/**
 * Creates the payment gateway and the platform adapter for Virtuous Raise. The gateway charges and
 * records a gift in one call, and the adapter only links the donation to that gift. A person must
 * make refunds in Virtuous Raise itself, because Virtuous Raise is not notified of refunds made
 * elsewhere.
 * @param clients one client for charges, which do not wait for a backoff, and one client for
 *   searches.
 */
export function createVirtuousRaise(
  clients: { readonly charges: FundraisingClient; readonly searches: FundraisingClient },
  options: RaiseOptions,
): VirtuousRaise {
  const giftIds = new Map<string, string>();
  const findGiftId = async (reference: string): Promise<string | undefined> => {
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
          throw new GiftNotCreatedError("Virtuous Raise's search does not find the gift yet", {
            cause: undefined,
            isRejected: true,
          });
        return id;
      },
      findGiftId,
    },
  };
}
