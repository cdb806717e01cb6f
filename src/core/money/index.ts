export * from './currencies.ts';
export * from './currency-signs.ts';
export * from './fee-cover.ts';
export * from './money-formatter.ts';
export * from './money.ts';
export * from './stripe-amount.ts';
