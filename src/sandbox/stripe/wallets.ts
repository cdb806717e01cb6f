import type { Stripe } from 'stripe';
import { createId } from './ids.ts';

/**
 * Wallets and bank redirects that the donor approves on another page or in an app, with their
 * currencies (docs.stripe.com/payments/payment-methods/payment-method-support).
 */
export const WALLETS = {
  paypal: ['aud cad chf czk dkk eur gbp hkd nok nzd pln sek sgd usd', 'reusable'],
  amazon_pay: ['aud chf dkk eur gbp hkd jpy nok nzd sek usd zar', 'reusable'],
  cashapp: ['usd', 'reusable'],
  revolut_pay: ['dkk eur gbp huf pln ron', 'reusable'],
  twint: ['chf', 'reusable'],
  satispay: ['eur', 'reusable'],
  mobilepay: ['dkk eur nok sek', 'single-use'],
  swish: ['sek', 'single-use'],
  mb_way: ['eur', 'single-use'],
  eps: ['eur', 'single-use'],
  p24: ['eur pln', 'single-use'],
  pay_by_bank: ['eur gbp', 'single-use'],
} as const satisfies Record<string, readonly [currencies: string, usage: string]>;

export type WalletType = keyof typeof WALLETS;

export const WALLET_TYPES = Object.keys(WALLETS) as WalletType[];

export const isWallet = (type: string): type is WalletType => Object.hasOwn(WALLETS, type);

/** Methods that cannot be charged again, and that subscriptions therefore reject. */
export const isSingleUse = (type: string): boolean =>
  isWallet(type) && WALLETS[type][1] === 'single-use';

/** Properties of the payment method, by type. */
export function buildWalletMethod(type: string, email: string | null): object {
  if (!isWallet(type)) return {};
  const properties: Partial<Record<WalletType, object>> = {
    cashapp: { buyer_id: null, cashtag: null },
    eps: { bank: null },
    p24: { bank: null },
    paypal: { country: 'DE', payer_email: email, payer_id: 'WDJJHEBZ4X2LY' },
  };
  return { [type]: properties[type] ?? {} };
}

/** Payment method details of a charge, by type. */
export function buildWalletDetails(type: string): object {
  if (!isWallet(type)) return {};
  const properties: Partial<Record<WalletType, object>> = {
    amazon_pay: { transaction_id: null },
    cashapp: { buyer_id: null, cashtag: null, transaction_id: null },
    eps: { bank: null, verified_name: null },
    mobilepay: { card: null },
    p24: { bank: null, reference: null, verified_name: null },
    paypal: {
      country: 'DE',
      payer_email: 'jenny@example.com',
      payer_id: 'WDJJHEBZ4X2LY',
      payer_name: 'Jenny Rosen',
      seller_protection: null,
      transaction_id: '75C67455M76335346',
    },
    revolut_pay: { transaction_id: null },
    satispay: { transaction_id: null },
    swish: { fingerprint: null, payment_reference: null, verified_phone_last4: null },
    twint: { mandate: createId('mandate') },
  };
  return { [type]: properties[type] ?? {} };
}

/**
 * Builds the next action of a wallet: a redirect, a QR code that Stripe.js shows, or nothing but
 * waiting for the app. The name `mb_way_await_authorization` is not in Stripe's API reference, but in
 * its mobile libraries (github.com/stripe/stripe-ios/pull/6837).
 */
export function buildWalletAction(
  type: string,
  page: string,
  returnUrl: string | null,
  now: number,
): Stripe.PaymentIntent.NextAction {
  const image = { image_url_png: `${page}#png`, image_url_svg: `${page}#svg` };
  const code = { ...image, expires_at: now + 180 };
  const links = { hosted_instructions_url: page, mobile_auth_url: page };
  switch (type) {
    case 'cashapp':
      return {
        type: 'cashapp_handle_redirect_or_display_qr_code',
        cashapp_handle_redirect_or_display_qr_code: { ...links, qr_code: code },
      };
    case 'swish':
      return {
        type: 'swish_handle_redirect_or_display_qr_code',
        swish_handle_redirect_or_display_qr_code: {
          ...links,
          qr_code: { ...code, data: 'swish:' },
        },
      };
    case 'mb_way':
      return { type: 'mb_way_await_authorization' };
    default:
      return { type: 'redirect_to_url', redirect_to_url: { return_url: returnUrl, url: page } };
  }
}
