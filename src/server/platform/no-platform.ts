import type { PlatformConnections } from './platform.ts';
import type { PlatformAdapter } from './platform-adapter.ts';

/**
 * Creates the adapter for an organization without a platform. `donation-form donations export`
 * exports the organization's donations.
 */
export function createNoPlatformAdapter(): PlatformAdapter {
  return {
    isNone: true,
    createGift: () => Promise.reject(new Error('no platform is configured')),
  };
}

export const noPlatform = {
  connect: (): PlatformConnections => ({
    platform: createNoPlatformAdapter(),
    reader: createNoPlatformAdapter(),
  }),
};
