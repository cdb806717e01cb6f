import { randomUUID } from 'node:crypto';
import { getCurrencyDecimals, toMajorUnits } from '@donation-form/core/money';
import type { VirtuousRaiseConfiguration } from '@donation-form/core/schemas';
import {
  type FundraisingClient,
  FundraisingError,
} from '@donation-form/platform-clients/fundraising';
import { isConnectionError } from '../../lib/describe-error.ts';
import { CallDeferredError } from '../../platform/api-quota.ts';
import { fillBodyTemplate, getValueAtPath } from '../../platform/body-template.ts';
import { parseGiftId, toGiftId } from '../../platform/gift-id.ts';
import {
  NotChargedError,
  type Payment,
  type PaymentGateway,
  type PaymentIds,
  type PaymentRequest,
} from '../payment-gateway.ts';

/** Statuses with which the platform rejects a call before charging the donor. */
const NOT_CHARGED_STATUSES = [401, 403, 404, 422, 429];

/** Separates our reference from the attempt's ID in a payment ID. */
const SEPARATOR = '.';

/**
 * Creates the gateway to Virtuous Raise, which charges a payment method and records the gift in one
 * call that must not be repeated: https://docs.virtuous.org/raise/workflows/process-a-donation
 * @param onCharged called with the gift's ID, if the response contains it.
 */
export function createRaiseGateway(
  client: FundraisingClient,
  options: RaiseOptions,
  onCharged: (reference: string, giftId: string) => void,
): PaymentGateway {
  const retrievePayment = async ({ paymentId }: PaymentIds): Promise<Payment> => {
    const gifts = await findGifts(client, getReference(paymentId), options);
    const [first] = gifts;
    if (!first) return { paymentId, status: 'unconfirmed' };
    // If the donor was charged twice, this sum differs from the amount that the donor agreed to.
    const total = gifts.reduce((sum, gift) => sum + gift.total, 0);
    return toPayment(paymentId, { ...first, total });
  };
  return {
    chargesInOneCall: true,
    createPayment: ({ reference, token }) =>
      token === undefined
        ? Promise.reject(new NotChargedError("the page's payment field sent no payment method"))
        : Promise.resolve({
            paymentId: `${reference}${SEPARATOR}${randomUUID()}`,
            status: 'unconfirmed',
          }),
    async chargePayment({ paymentId }, request) {
      const response = await client
        .call('POST', '/api/Raise/give', toGiveBody(request, options))
        .catch(interpretGiveError);
      const body = response?.body;
      if (!response || getValueAtPath(body, 'success') === false)
        return { paymentId, status: 'failed', reason: 'card-declined' };
      const giftId = toGiftId(getValueAtPath(body, 'giftId') ?? getValueAtPath(body, 'id'));
      if (giftId !== undefined) onCharged(request.reference, giftId);
      const amount = getValueAtPath(body, 'amount');
      return toPayment(paymentId, {
        status: getValueAtPath(body, 'statusText') === 'Pending' ? 'processing' : 'succeeded',
        total: typeof amount === 'number' ? toMinorUnits(amount, options.currency) : request.total,
        currency: options.currency,
      });
    },
    retrievePayment,
    cancelPayment: retrievePayment,
  };
}

const getReference = (paymentId: string): string => paymentId.split(SEPARATOR)[0]!;

function toPayment(
  paymentId: string,
  { status, total, currency }: Pick<Payment, 'status' | 'total' | 'currency'>,
): Payment {
  return {
    paymentId,
    status,
    total,
    currency,
    ...(status === 'failed' && { reason: 'card-declined' }),
  };
}

/** Adds the configured fields, because the optional ones are undocumented. */
function toGiveBody(
  { total, token, createPlatformGift }: PaymentRequest,
  { body, currency }: RaiseOptions,
): object {
  const gift = createPlatformGift!();
  return {
    ...(fillBodyTemplate(body, gift) as object),
    amount: Number(toMajorUnits(total, getCurrencyDecimals(currency) ?? 2)),
    paymentMethodId: token,
    paymentMethodType: gift.paymentMethod ?? 0,
  };
}

/**
 * Returns `undefined` for status 400, which means that the card was declined. Rethrows a timeout
 * error, because the card may have been charged nevertheless.
 * @throws {NotChargedError} if the call certainly charged nothing.
 */
function interpretGiveError(error: unknown): undefined {
  const { message, cause } = error as Error;
  if (cause instanceof CallDeferredError || isConnectionError(error))
    throw new NotChargedError(message, { cause: error });
  if (!(error instanceof FundraisingError)) throw error;
  if (NOT_CHARGED_STATUSES.includes(error.status) || isValidationError(error))
    throw new NotChargedError(message, { cause: error });
  if (error.status !== 400 || /time(d )?\s*-?out/i.test(error.body)) throw error;
  return undefined;
}

/** Validation errors list the invalid fields: https://docs.virtuous.org/raise/error-handling */
function isValidationError({ status, body }: FundraisingError): boolean {
  return status === 400 && /"errors"\s*:\s*\{/.test(body);
}

/** A reference normally belongs to only one gift. */
const SEARCH_SIZE = 20;

export type RaiseOptions = Pick<VirtuousRaiseConfiguration, 'currency' | 'body' | 'referencePath'>;

/** A gift in Virtuous Raise that has our reference. */
export interface RaiseGift {
  readonly id: string;
  /** In minor units. */
  readonly total: number;
  readonly currency: string;
  readonly status: Extract<Payment['status'], 'processing' | 'succeeded' | 'failed'>;
}

/**
 * Searches for the gifts that have our reference, with the documented free-text filter:
 * https://docs.virtuous.org/raise/workflows/query-gifts-by-filters
 * @throws if the response has no list of gifts.
 */
export async function findGifts(
  client: FundraisingClient,
  reference: string,
  { currency, referencePath }: RaiseOptions,
): Promise<RaiseGift[]> {
  const query = new URLSearchParams({ Filter: reference, Skip: '0', Take: String(SEARCH_SIZE) });
  const { body } = await client.call('GET', `/api/Gift/list?${query}`);
  const items = getValueAtPath(body, 'items');
  if (!Array.isArray(items)) throw new Error("Virtuous Raise's response has no list of gifts");
  return items
    .filter((item) => String(getValueAtPath(item, referencePath)).includes(reference))
    .map((item) => parseGift(item, currency));
}

/** @throws if the gift has no ID or amount. */
function parseGift(item: unknown, defaultCurrency: string): RaiseGift {
  const amount = getValueAtPath(item, 'amount');
  const ownCurrency = getValueAtPath(item, 'currency');
  const currency = typeof ownCurrency === 'string' ? ownCurrency : defaultCurrency;
  if (typeof amount !== 'number')
    throw new Error("a gift in Virtuous Raise's response has no valid amount");
  return {
    id: parseGiftId(item, 'id'),
    total: toMinorUnits(amount, currency),
    currency,
    status: parseStatus(getValueAtPath(item, 'statusText')),
  };
}

function toMinorUnits(amount: number, currency: string): number {
  return Math.round(amount * 10 ** (getCurrencyDecimals(currency) ?? 2));
}

/** The numbers in `status` are undocumented. */
function parseStatus(statusText: unknown): RaiseGift['status'] {
  if (statusText === 'Pending') return 'processing';
  return ['Declined', 'Voided', 'Error'].includes(String(statusText)) ? 'failed' : 'succeeded';
}
