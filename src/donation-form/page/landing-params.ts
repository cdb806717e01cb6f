import { LANDING_STORAGE_KEY, isPersonalParameter } from '@donation-form/core/settings';
import { tryStorage } from './session-storage.ts';

/** Stored here because single-page applications can change the URL later. */
let landingSearch = typeof location === 'undefined' ? '' : location.search;

/** Includes personal parameters that the form has removed from the URL. */
export function getLandingSearch(): string {
  return landingSearch;
}

/** Returns the query string that `donation-form/attribution` saved with the visitor's consent. */
export function getSavedLandingSearch(): string {
  return tryStorage(() => sessionStorage.getItem(LANDING_STORAGE_KEY)) ?? '';
}

/**
 * Hides names, emails, phone numbers, and street addresses in the URL from later scripts and linked
 * sites (rule 43). Retains the values for other forms on the page.
 * @param ignoredParams lowercase names of parameters to leave in the URL.
 */
export function removePersonalParams(ignoredParams: readonly string[]): void {
  const pairs = location.search.slice(1).split('&');
  const isPersonalPair = (pair: string): boolean =>
    [...new URLSearchParams(pair).keys()].some(
      (name) => isPersonalParameter(name) && !ignoredParams.includes(name.toLowerCase()),
    );
  const personalPairs = pairs.filter(isPersonalPair);
  if (personalPairs.length === 0) return;
  landingSearch = `?${[
    ...personalPairs,
    ...landingSearch
      .slice(1)
      .split('&')
      .filter((pair) => !isPersonalPair(pair)),
  ].join('&')}`;
  const remainingQuery = pairs.filter((pair) => !isPersonalPair(pair)).join('&');
  const url = new URL(location.href);
  url.search = remainingQuery;
  tryStorage(() => history.replaceState(history.state, '', url));
}
