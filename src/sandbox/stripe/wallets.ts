import type { Stripe } from 'stripe';
import { isWallet, type WalletType } from './browser/wallet-types.ts';

/** Builds the type-specific fields of a payment method. */
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

/** Builds the payment method details of a charge, by type. */
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
      payer_email: 'ana@example.org',
      payer_id: 'WDJJHEBZ4X2LY',
      payer_name: 'Ana Souza',
      seller_protection: null,
      transaction_id: '75C67455M76335346',
    },
    revolut_pay: { transaction_id: null },
    satispay: { transaction_id: null },
    swish: { fingerprint: null, payment_reference: null, verified_phone_last4: null },
  };
  return { [type]: properties[type] ?? {} };
}

/**
 * Builds a wallet's next action: a redirect, a QR code that Stripe.js shows, or a wait for approval
 * in the wallet's app. The name `mb_way_await_authorization` comes from Stripe's mobile libraries
 * (github.com/stripe/stripe-ios/pull/6837). The API reference does not mention this name.
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
