import { formatHasField } from '@donation-form/core/form-state';
import type { AddressFormat, CountryList } from '@donation-form/core/schemas';
import { runWhenIdle } from '../page/on-idle.ts';

const TIMEOUT = 10_000;

/** By URL, shared by all forms on this page. Excludes failed requests. */
const responses = new Map<string, Promise<unknown>>();

async function fetchCached<Body>(url: string): Promise<Body> {
  const response =
    responses.get(url) ??
    fetchJson(url).catch((error: unknown) => {
      responses.delete(url);
      throw error;
    });
  responses.set(url, response);
  return response as Promise<Body>;
}

async function fetchJson(url: string): Promise<unknown> {
  const response = await fetch(url, {
    credentials: 'omit',
    signal: AbortSignal.timeout(TIMEOUT),
  });
  if (!response.ok) throw new Error(`${url} returned status ${response.status}.`);
  return response.json();
}

export type NamedCountry = CountryList[number] & { readonly name: string };

/** Loads countries and formats for one form, which otherwise shows plain text fields. */
export class AddressFormatLoader {
  countries: readonly NamedCountry[] | undefined;
  isCountryFreeText = false;
  /** Until the selected country's format has loaded, this is the previous country's. */
  displayedFormat: AddressFormat | undefined;
  readonly #endpointUrl: string;
  readonly #language: string;
  readonly #onChange: (previousFormat: AddressFormat | undefined) => void;
  #country = '';
  #selection = Promise.resolve();
  #displayedCountry = '';
  #previousFormat: AddressFormat | undefined;

  /** @param onChange receives the most recent previous format that has a state field. */
  constructor(
    endpointUrl: string,
    language: string,
    onChange: (previousFormat: AddressFormat | undefined) => void,
  ) {
    this.#endpointUrl = endpointUrl;
    this.#language = language;
    this.#onChange = onChange;
  }

  get format(): AddressFormat | undefined {
    return this.#country === this.#displayedCountry ? this.displayedFormat : undefined;
  }

  loadCountriesWhenIdle(): void {
    runWhenIdle(() => void this.loadCountries());
  }

  /** Slow: `Intl.DisplayNames` takes 100 ms on an old phone. */
  async loadCountries(): Promise<void> {
    if (this.countries) return;
    const list = await fetchCached<CountryList>(`${this.#endpointUrl}countries`).catch(
      () => undefined,
    );
    this.isCountryFreeText = list === undefined;
    if (list) this.countries ??= toNamedCountries(list, this.#language);
    this.#onChange(this.#previousFormat);
  }

  /** @param country ISO 3166-1 alpha-2 code. Other values have no format. */
  selectCountry(country: string): Promise<void> {
    if (country !== this.#country) {
      this.#country = country;
      this.#selection = this.#loadFormat(country);
    }
    return this.#selection;
  }

  async #loadFormat(country: string): Promise<void> {
    const format = /^[A-Z]{2}$/.test(country)
      ? await fetchCached<AddressFormat>(`${this.#endpointUrl}countries/${country}`).catch(
          () => undefined,
        )
      : undefined;
    if (country !== this.#country) return;
    const previousFormat = this.#previousFormat;
    this.displayedFormat = format;
    this.#displayedCountry = country;
    if (format && formatHasField(format, 'state')) this.#previousFormat = format;
    this.#onChange(previousFormat);
  }
}

function toNamedCountries(list: CountryList, language: string): NamedCountry[] {
  const names = new Intl.DisplayNames(language, { type: 'region' });
  const { compare } = new Intl.Collator(language);
  return list
    .map((country) => ({ ...country, name: names.of(country.code) ?? country.code }))
    .sort((a, b) => compare(a.name, b.name));
}
