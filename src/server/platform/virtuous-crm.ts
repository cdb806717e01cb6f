import type { VirtuousCrmConfiguration } from '@donation-form/core/schemas';
import {
  type FundraisingClient,
  FundraisingError,
} from '@donation-form/platform-clients/fundraising';
import { ConfigurationError } from '../lib/configuration-error.ts';
import { parseGiftId } from './gift-id.ts';
import { connectAdapter, type Platform } from './platform.ts';
import type { PlatformAdapter } from './platform-adapter.ts';
import { rethrowCreateError, rethrowIdempotentCallError } from './rethrow-errors.ts';
import { type GiftTransactionOptions, toGiftTransaction } from './virtuous-gift-transaction.ts';

export const virtuousCrm: Platform<VirtuousCrmConfiguration> = {
  assertValid(_configuration, { forms }, at) {
    forms.forEach(({ projects }, form) =>
      projects.forEach(({ code }, project) => {
        if (code === undefined)
          throw new ConfigurationError(
            `${at}.forms.${form}.projects.${project}.code: found nothing, but the ` +
              "virtuous-crm adapter designates gifts by project code. Copy the project's code " +
              'from Virtuous',
          );
      }),
    );
  },
  connect: (configuration, createClient, { timeZone }) =>
    connectAdapter(createClient, (client) =>
      createVirtuousCrmAdapter(client, { ...configuration, timeZone }),
    ),
};

/**
 * Creates the adapter for Virtuous CRM+, which imports gifts charged elsewhere. Virtuous creates
 * gifts in a nightly batch, so it returns no gift ID. Transactions with the same source and ID are
 * the same gift:
 * https://docs.virtuous.org/crm/workflows/create-a-donation
 */
export function createVirtuousCrmAdapter(
  client: FundraisingClient,
  options: GiftTransactionOptions,
): PlatformAdapter {
  return {
    isCreateIdempotent: true,
    acceptsOnlySettledGifts: true,
    async createGift(gift) {
      await client
        .call('POST', '/api/v2/Gift/Transaction', toGiftTransaction(gift, options), {
          allowEmptyBody: true,
        })
        .catch((error: unknown) => rethrowCreateError(error));
      return undefined;
    },
    async findGiftId(reference) {
      const path = [options.transactionSource, reference].map(encodeURIComponent).join('/');
      try {
        const { body } = await client.call('GET', `/api/Gift/${path}`);
        return parseGiftId(body, 'id');
      } catch (error) {
        if (error instanceof FundraisingError && error.status === 404) return undefined;
        return rethrowIdempotentCallError(error);
      }
    },
  };
}
