/** Lets an editor complete `window.ServiceDonorsForms.settings` on pages that import this package. */
import type { DonateResponse } from '../contract/outcome.ts';
import type { PageSettings } from '../contract/settings.ts';

export type { DonateResponse, PageSettings };

declare global {
  interface Window {
    ServiceDonorsForms?: { settings?: PageSettings };
  }
}
