import { z } from 'zod';
import type { Faults } from '../lib/faults.ts';
import { isSingleUse, isWallet, WALLET_TYPES, WALLETS } from './browser/wallet-types.ts';
import { createInvalidRequestError } from './stripe-error.ts';

/**
 * Types that are active in a new account. Payments that do not list types use these types by
 * default.
 */
const DEFAULT_TYPES = [
  'card',
  'link',
  'us_bank_account',
  'sepa_debit',
  'bacs_debit',
  'au_becs_debit',
  'ideal',
  'bancontact',
] as const;
/**
 * Types that a call can list. Excludes `acss_debit`, which Stripe does not support with
 * confirmation tokens.
 */
export const PAYMENT_METHOD_TYPES = z.array(z.enum([...DEFAULT_TYPES, ...WALLET_TYPES])).min(1);
export const PAYMENT_METHOD_OPTIONS = z
  .strictObject({
    us_bank_account: z
      .strictObject({ verification_method: z.enum(['automatic', 'instant']).optional() })
      .optional(),
  })
  .optional();
const REQUIRED_CURRENCY: Readonly<Record<string, string>> = {
  us_bank_account: 'usd',
  sepa_debit: 'eur',
  bacs_debit: 'gbp',
  au_becs_debit: 'aud',
  ideal: 'eur',
  bancontact: 'eur',
};

/** Payment method types that the merchant has activated in the Dashboard. */
export class ActivatedTypes {
  readonly #inactive = new Set<string>();
  readonly #faults: Faults;

  constructor(faults: Faults) {
    this.#faults = faults;
  }

  deactivateType(type: string): void {
    this.#inactive.add(type);
  }

  isTypeActive(type: string): boolean {
    const fault = this.#faults.findActiveFault('method-inactive');
    const isFaulty =
      fault && (fault.method === undefined ? type !== 'card' : fault.method === type);
    return !isFaulty && !this.#inactive.has(type);
  }

  /**
   * Filters `allowed_payment_method_types` by currency and activation.
   * @throws StripeApiError if no type remains.
   */
  filterTypes(currency: string, allowed: readonly string[] | null): string[] {
    return assertTypesRemain(
      currency,
      filterTypesByCurrency(currency, allowed ?? DEFAULT_TYPES).filter((type) =>
        this.isTypeActive(type),
      ),
      'allowed_payment_method_types',
    );
  }

  /**
   * Checks a subscription's list of types.
   * @throws StripeApiError if a type is not activated or can be charged only once, or if no type
   *   supports the currency. Stripe does not document the error message for an unsupported
   *   currency.
   */
  assertUsableTypes(currency: string, types: readonly string[] | null): string[] {
    const param = 'payment_settings[payment_method_types]';
    const inactive =
      types?.findIndex((type) => !this.isTypeActive(type) || isSingleUse(type)) ?? -1;
    if (inactive >= 0)
      throw createInvalidRequestError(
        `The payment method type provided: ${types![inactive]!} is invalid. Please ensure ` +
          'the provided type is activated in your dashboard ' +
          '(https://dashboard.stripe.com/account/payments/settings) and your account is ' +
          'enabled for any preview features that you are trying to use.',
        { param: `${param}[${inactive}]` },
      );
    return types
      ? assertTypesRemain(currency, filterTypesByCurrency(currency, types), param)
      : this.filterTypes(currency, null);
  }
}

function filterTypesByCurrency(currency: string, types: readonly string[]): string[] {
  return types.filter((type) =>
    (isWallet(type) ? WALLETS[type][0] : (REQUIRED_CURRENCY[type] ?? currency)).includes(currency),
  );
}

function assertTypesRemain(currency: string, types: string[], param: string): string[] {
  if (types.length === 0)
    throw createInvalidRequestError(
      `No valid payment method types for this payment in ${currency}. Please ensure that ` +
        'you have activated payment methods compatible with your chosen currency.',
      { param },
    );
  return types;
}
