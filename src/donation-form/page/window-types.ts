/** Types of `window.ServiceDonorsForms` for pages that import this package. */
import type { PageSettings } from '@donation-form/core/schemas';

export type {
  DonateResponse,
  PageAnalyticsTracking,
  PageDonorInfo,
  PageGift,
  PageGiftInfo,
  PageSettings,
  ProjectSplit,
} from '@donation-form/core/schemas';

declare global {
  /**
   * Settings for the forms on a page. A page that uses `settings-key` declares additional
   * properties: `interface ServiceDonorsForms { winter?: PageSettings }`.
   */
  interface ServiceDonorsForms {
    settings?: PageSettings;
    /**
     * Returns true if the visitor consents to analytics and to saving the campaign parameters for
     * the visit. The `attribution.js` and `analytics.js` scripts call this function.
     */
    consent?: () => boolean | Promise<boolean>;
  }
  interface Window {
    ServiceDonorsForms?: ServiceDonorsForms;
  }
  /** Undefined until the page sets it. */
  var ServiceDonorsForms: ServiceDonorsForms | undefined;
}
