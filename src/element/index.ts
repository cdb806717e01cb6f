/**
 * The package's entry: registers `<donation-form>`, and exports what pages in TypeScript need of
 * it.
 */
import './define.ts';

export * from './donation-form.ts';
export * from './events.ts';
export * from './sending-events.ts';
export * from './ignored-event.ts';
export type * from './page-settings.ts';
export type * from '../settings/explain.ts';
