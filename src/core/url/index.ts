export * from './return-url.ts';
export * from './service-url.ts';
export * from './stripe-js-url.ts';
