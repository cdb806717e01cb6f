import type { PlatformAdapter } from './platform-adapter.ts';

/** No platform: the journal is the record, and `donation-form gifts export` writes it out. */
export function createNoPlatform(): PlatformAdapter {
  return {
    isNone: true,
    createGift: () =>
      Promise.reject(new Error('the journal is the record: there is no platform to record at')),
  };
}
