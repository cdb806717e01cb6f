export { getCurrencyDecimals } from './currencies.ts';
export { calculateFeeCover, getFeeRate, type FeeCover, type FeeRate } from './fee-cover.ts';
export {
  type AmountNotation,
  type Currency,
  formatMoney,
  MAX_AMOUNT,
  toMajorUnits,
  parseAmount,
  parseTypedAmount,
  splitCurrencySigns,
  normalizeDigits,
  normalizeNumber,
} from './money.ts';
export { fromStripeAmount, toStripeAmount, getStripeDecimals } from './stripe-amount.ts';
export { removeCurrencySigns } from './currency-signs.ts';
export { createMoneyFormatter } from './money-formatter.ts';
