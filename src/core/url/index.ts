export * from './return-url.ts';
export * from './service-url.ts';
