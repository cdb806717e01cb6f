export { decimalsOf } from './currencies.ts';
export { coveredCosts } from './fee-cover.ts';
export {
  type Currency,
  currencySign,
  formatMoney,
  LARGEST_AMOUNT,
  majorUnits,
  parseAmount,
  parseTypedAmount,
  plainNumber,
} from './money.ts';
export { fromStripeAmount, stripeAmount, stripeDecimals } from './stripe-amount.ts';
