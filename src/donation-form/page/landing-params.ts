import { LANDING_KEY, isPersonal } from '@donation-form/core/settings';
import { tryStorage } from './session-storage.ts';

/** The address by which the visitor came to this page: single-page applications change it. */
let landed = typeof location === 'undefined' ? '' : location.search;

/**
 * The query of the address by which the visitor came to this page, and what was taken out of the
 * address since.
 */
export function landedAddress(): string {
  return landed;
}

/**
 * What `donation-form/attribution` keeps of the address by which the visitor came to the site,
 * while the visitor agrees.
 */
export function keptAddress(): string {
  return tryStorage(() => sessionStorage.getItem(LANDING_KEY)) ?? '';
}

/**
 * Takes names, e-mail, phone and street out of the page's address (rule 43): what runs later, and
 * whom the page links to, does not see them.
 * They stay in this page's memory, for its other forms.
 * @param except names that are not read, in small letters: they may be somebody else's.
 */
export function hidePersonal(except: readonly string[]): void {
  const pairs = location.search.slice(1).split('&');
  const isHidden = (pair: string): boolean =>
    [...new URLSearchParams(pair).keys()].some(
      (name) => isPersonal(name) && !except.includes(name.toLowerCase()),
    );
  const hidden = pairs.filter(isHidden);
  if (hidden.length === 0) return;
  landed = `?${[
    ...hidden,
    ...landed
      .slice(1)
      .split('&')
      .filter((pair) => !isHidden(pair)),
  ].join('&')}`;
  const kept = pairs.filter((pair) => !isHidden(pair)).join('&');
  const url = new URL(location.href);
  url.search = kept;
  tryStorage(() => history.replaceState(history.state, '', url));
}
