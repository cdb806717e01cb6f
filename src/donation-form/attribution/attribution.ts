import { landingOf, LANDING_KEY } from '@donation-form/core/settings';

/** How a campaign is kept: with what consent, from which address, and where. */
export interface Attribution {
  /**
   * Whether the visitor agrees that a campaign is kept for the visit: true, or a promise of it.
   * Anything else is no.
   */
  readonly consent: () => unknown;
  /** The query of the page's address. */
  readonly search?: string;
  /** Where it is kept: for this tab, until it is closed. */
  readonly storage?: () => Storage;
}

/**
 * Keeps segment, projects, utm and click ids of the address by which a visitor came, for the
 * donation form on a later page.
 * A later address that names any of them replaces them all. Without consent nothing is kept, and
 * what was kept is taken out.
 * @returns whether the visitor agreed.
 */
export async function keepLanding({
  consent,
  search = location.search,
  storage = () => sessionStorage,
}: Attribution): Promise<boolean> {
  const landing = landingOf(search);
  let isAgreed = false;
  try {
    isAgreed = (await consent()) === true;
    if (!isAgreed) storage().removeItem(LANDING_KEY);
    else if (landing) storage().setItem(LANDING_KEY, landing);
  } catch {
    // A consent tool may fail, which is no consent, and a browser may refuse storage.
  }
  return isAgreed;
}
