import { extractCampaignQuery, LANDING_STORAGE_KEY } from '@donation-form/core/settings';

/** Options for {@link saveLandingParams}. */
export interface AttributionOptions {
  /**
   * Returns true, or a promise that resolves to true, if the visitor consents to saving the
   * campaign parameters for the visit. Any other value means no consent.
   */
  readonly consent: () => unknown;
  /** Query string to read. Default: the query string of the page's URL. */
  readonly search?: string;
  /** Returns the storage to use. Default: `sessionStorage`, which lasts until the tab closes. */
  readonly storage?: () => Storage;
}

/**
 * Saves the segment, projects, UTM parameters, and click IDs from the landing page's URL, for a
 * donation form on a later page. If a later URL contains any of these parameters, they replace all
 * saved parameters. Without consent, saves nothing and deletes any saved parameters.
 * @returns true if the visitor consented.
 *
 * @example
 * ```ts
 * import { saveLandingParams } from 'donation-form/attribution';
 *
 * await saveLandingParams({ consent: () => document.cookie.includes('marketing=yes') });
 * ```
 */
export async function saveLandingParams({
  consent,
  search = location.search,
  storage = () => sessionStorage,
}: AttributionOptions): Promise<boolean> {
  const landing = extractCampaignQuery(search);
  let hasConsent = false;
  try {
    hasConsent = (await consent()) === true;
    if (!hasConsent) storage().removeItem(LANDING_STORAGE_KEY);
    else if (landing) storage().setItem(LANDING_STORAGE_KEY, landing);
  } catch {
    // The consent tool failed, which means no consent, or the browser denied access to storage.
  }
  return hasConsent;
}
