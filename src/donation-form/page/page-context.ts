import type { FormDefinition } from '@donation-form/core/schemas';
import {
  getCallback,
  isPersonalParameter,
  LANDING_STORAGE_KEY,
  readElementSettings,
  readGlobalSettings,
  readSettingsObject,
  type readUrlAndLanding,
  type SettingCandidate,
} from '@donation-form/core/settings';
import type { DonationFormBase } from '../form/attributes.ts';
import { tryStorage } from './session-storage.ts';

/** Landing page's query. Stored because single-page applications can change the URL later. */
let landingSearch = typeof location === 'undefined' ? '' : location.search;

/** Undefined until the form needs one. */
let readUrl: typeof readUrlAndLanding | undefined;

export function setUrlReader(reader: typeof readUrlAndLanding): void {
  readUrl = reader;
}

/** The URL at construction time, and the page's current settings and callbacks. */
export class PageContext {
  /** Query string of the page's URL. Empty if the form ignores URL parameters. */
  readonly search: string;
  readonly #landingSearch: string;
  readonly element: DonationFormBase;

  constructor(form: DonationFormBase) {
    this.element = form;
    this.search = this.#readsUrl ? location.search : '';
    this.#landingSearch = this.#readsUrl ? landingSearch : '';
    if (this.#readsUrl && !form.keepUrlParams) removePersonalParams(this.#ignoredParams);
  }

  /** Reads the saved URL on every call, because the visitor can withdraw consent to saving it. */
  readSettings({ urlAliases }: FormDefinition): SettingCandidate[] {
    const [search, ...earlier] = this.#queries;
    return [
      ...(readUrl?.(search, earlier, this.#ignoredParams, urlAliases) ?? []),
      ...readSettingsObject(this.settings, 'global'),
      ...readElementSettings(this.element),
    ];
  }

  /** Loads the reader of URL parameters if any URL has some. Most pages have none. */
  async loadUrlReader(): Promise<void> {
    if (this.#queries.some(Boolean))
      await import('./url-reader.ts').then(
        (module) => setUrlReader(module.readUrlAndLanding),
        // The `next-steps` chunk has the reader, too.
        () => undefined,
      );
  }

  /** Queries of the page's URL and of earlier URLs, the newest first. */
  get #queries(): [search: string, landing: string, saved: string] {
    const saved = this.#readsUrl
      ? tryStorage(() => sessionStorage.getItem(LANDING_STORAGE_KEY))
      : undefined;
    return [this.search, this.#landingSearch, saved ?? ''];
  }

  get isDebugRequested(): boolean {
    return this.element.debug || new URLSearchParams(this.search).has('donation-form-debug');
  }

  get #readsUrl(): boolean {
    return this.element.urlParams !== 'off';
  }

  get #ignoredParams(): readonly string[] {
    return this.element.ignoreParams?.toLowerCase().split(/[\s,]+/) ?? [];
  }

  /** Value of the `window.ServiceDonorsForms` property that this form reads. Can have any type. */
  get settings(): unknown {
    return readGlobalSettings(window, this.element.settingsKey);
  }

  hasCallback(name: 'onLoad' | 'onSuccess'): boolean {
    return this.#findCallback(name) !== undefined;
  }

  /** Calls one of the page's callbacks. Its errors never affect the donation. */
  async invokeCallback(name: 'onLoad' | 'onSuccess', ...args: unknown[]): Promise<void> {
    try {
      await this.#findCallback(name)?.(...args);
    } catch (error) {
      await import('../debug/warnings.ts')
        .then(({ reportCallbackError }) => reportCallbackError(this.element, name, error))
        .catch(() => console.error(error));
    }
  }

  #findCallback(name: 'onLoad' | 'onSuccess'): ReturnType<typeof getCallback> {
    return getCallback(this.settings, name) ?? getCallback(this.element.settings, name);
  }
}

/**
 * Hides personal parameters from later scripts and linked sites (rule 43). Retains the values for
 * other forms on the page.
 */
function removePersonalParams(ignoredParams: readonly string[]): void {
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
