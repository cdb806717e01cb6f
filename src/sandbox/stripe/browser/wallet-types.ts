/**
 * Supported currencies and reusability of wallets and bank redirects. Donors approve these payments
 * on another page or in an app (docs.stripe.com/payments/payment-methods/payment-method-support).
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

/** Returns true for a method that cannot be charged again. Subscriptions reject such methods. */
export const isSingleUse = (type: string): boolean =>
  isWallet(type) && WALLETS[type][1] === 'single-use';

export const WALLET_LABELS: Readonly<Record<WalletType, string>> = {
  paypal: 'PayPal',
  amazon_pay: 'Amazon Pay',
  cashapp: 'Cash App Pay',
  revolut_pay: 'Revolut Pay',
  twint: 'TWINT',
  satispay: 'Satispay',
  mobilepay: 'MobilePay',
  swish: 'Swish',
  mb_way: 'MB WAY',
  eps: 'EPS',
  p24: 'Przelewy24',
  pay_by_bank: 'Pay by Bank',
};
