import type { Faults } from '../lib/faults.ts';
import type { EventLog } from './events.ts';
import type { Store } from './store.ts';

/** Context shared by the emulator's services. */
export interface PayPalContext {
  readonly store: Store;
  readonly events: EventLog;
  readonly faults: Faults;
  /** ISO 3166-1 code of the seller's country. */
  readonly country: string;
  /** Returns the base URL that callers use to reach the API. */
  readonly getBaseUrl: () => string;
  /** Returns the current time in ISO 8601. */
  readonly getTime: () => string;
}

export interface Link {
  readonly href: string;
  readonly rel: string;
  readonly method: 'GET' | 'POST' | 'PATCH';
}

export const createLink = (href: string, rel: string, method: Link['method'] = 'GET'): Link => ({
  href,
  rel,
  method,
});
