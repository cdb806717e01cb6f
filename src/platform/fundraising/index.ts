export * from './client.ts';
export * from './enumerations.ts';
export * from './errors.ts';
export type * from './wire.ts';
