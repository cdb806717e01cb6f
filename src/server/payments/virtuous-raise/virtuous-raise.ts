import type {
  OrganizationConfiguration,
  VirtuousRaiseConfiguration,
} from '@donation-form/core/schemas';
import type { FundraisingClient } from '@donation-form/platform-clients/fundraising';
import { ConfigurationError } from '../../lib/configuration-error.ts';
import { assertPlaceholdersAreKnown, GIFT_NAMES } from '../../platform/body-template.ts';
import type { Platform } from '../../platform/platform.ts';
import { GiftNotCreatedError, type PlatformAdapter } from '../../platform/platform-adapter.ts';
import { rethrowIdempotentCallError } from '../../platform/rethrow-errors.ts';
import type { PaymentGateway } from '../payment-gateway.ts';
import { createRaiseGateway, findGifts, type RaiseOptions } from './raise-gateway.ts';

/** Gift IDs to keep in memory, which saves the outbox from searching for them. */
const MAX_REMEMBERED_GIFTS = 1_000;

export const virtuousRaise: Platform<VirtuousRaiseConfiguration> = {
  chargesDonors: true,
  assertValid: assertPlatformCanCharge,
  connect(configuration, createClient) {
    const charges = createClient('charges');
    const searches = createClient('gifts');
    const { platform: reader } = createVirtuousRaise(
      { charges, searches: createClient('reading') },
      configuration,
    );
    return { ...createVirtuousRaise({ charges, searches }, configuration), reader };
  },
};

/**
 * Creates the payment gateway, which charges and records a gift in one call, and the adapter, which
 * only links the donation to that gift. Virtuous Raise is not notified of refunds made elsewhere,
 * so a person must make them there.
 * @param clients one client for charges, which do not wait for a backoff, and one for searches.
 */
export function createVirtuousRaise(
  clients: { readonly charges: FundraisingClient; readonly searches: FundraisingClient },
  options: RaiseOptions,
): { readonly gateway: PaymentGateway; readonly platform: PlatformAdapter } {
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

/** The platform's call must support everything that the forms offer. */
function assertPlatformCanCharge(
  platform: VirtuousRaiseConfiguration,
  { payments, forms }: OrganizationConfiguration,
  at: string,
): void {
  const other = payments.findIndex(({ provider }) => provider !== 'platform');
  if (other >= 0 || payments.length > 1)
    throw new ConfigurationError(
      `${at}.payments.${Math.max(other, 0)}.provider: found ` +
        `${JSON.stringify(payments[Math.max(other, 0)]!.provider)}; expected only "platform", ` +
        'because virtuous-raise records only its own charges. Remove the other payment ' +
        'providers or move them to another organization',
    );
  if (!JSON.stringify(platform.body).includes('{reference}'))
    throw new ConfigurationError(
      `${at}.platform.body: found no {reference}, but the server finds gifts by their ` +
        "reference. Add {reference} to a field that the platform's search covers, such as a comment",
    );
  assertPlaceholdersAreKnown(platform.body, GIFT_NAMES, `${at}.platform.body`);
  forms.forEach(({ frequencies, currencies }, form) => {
    const recurring = frequencies.findIndex((frequency) => frequency !== 'once');
    if (recurring >= 0)
      throw new ConfigurationError(
        `${at}.forms.${form}.frequencies.${recurring}: found ` +
          `${JSON.stringify(frequencies[recurring])}; expected only "once", because ` +
          'virtuous-raise has no documented field for recurring donations. Remove this ' +
          'frequency',
      );
    const foreign = currencies.findIndex(({ code }) => code !== platform.currency);
    if (foreign >= 0)
      throw new ConfigurationError(
        `${at}.forms.${form}.currencies.${foreign}.code: found ` +
          `${JSON.stringify(currencies[foreign]!.code)}; expected only ${platform.currency}, ` +
          `the currency in ${at}.platform. Remove the other currency`,
      );
  });
}
