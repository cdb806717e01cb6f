/**
 * Lets an editor complete `window.ServiceDonorsForms.settings` on pages that import this package.
 */
import type { DonateResponse, PageSettings } from '@donation-form/core/schemas';

export type { DonateResponse, PageSettings };

declare global {
  /**
   * What a page tells its forms. A page with several forms and `settings-key` adds its own names:
   * `interface ServiceDonorsForms { winter?: PageSettings }`.
   */
  interface ServiceDonorsForms {
    settings?: PageSettings;
    /**
     * Whether the visitor agrees that the campaign is kept while the site is visited, and that
     * gifts are measured: for the scripts `attribution.js` and `analytics.js`.
     */
    consent?: () => boolean | Promise<boolean>;
  }
  interface Window {
    ServiceDonorsForms?: ServiceDonorsForms;
  }
}
