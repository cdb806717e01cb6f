export * from './donation-status.ts';
export * from './frequency.ts';
export * from './impact-drawing.ts';
export * from './monthly-equivalent.ts';
export * from './payment-method-type.ts';
export * from './split.ts';
export * from './stripe-method-facts.ts';
export * from './tribute.ts';
