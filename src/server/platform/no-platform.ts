import type { PlatformAdapter } from './platform-adapter.ts';

/** Creates an adapter for a server without a platform. Use `donation-form donations export`. */
export function createNoPlatformAdapter(): PlatformAdapter {
  return {
    isNone: true,
    createGift: () => Promise.reject(new Error('no platform is configured')),
  };
}
