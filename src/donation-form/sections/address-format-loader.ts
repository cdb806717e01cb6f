import type { AddressFormat, CountryList } from '@donation-form/core/schemas';
import { formatHasField } from '@donation-form/core/form-state';
import { runWhenIdle } from '../page/on-idle.ts';

const TIMEOUT = 10_000;

/**
 * Cached responses, keyed by URL and shared by all forms on this page. Excludes failed requests.
 */
const responses = new Map<string, Promise<unknown>>();

/** @throws if the request fails. */
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

/** A country with its name in the form's language. */
export type NamedCountry = CountryList[number] & { readonly name: string };

/**
 * Loads countries and address formats for one form. If the endpoint does not respond, the form
 * shows plain text fields.
 */
export class AddressFormatLoader {
  /** Countries sorted by name in the form's language. Undefined until loaded. */
  countries: readonly NamedCountry[] | undefined;
  /** True if the list of countries failed to load. The donor then types the country's name. */
  isCountryFreeText = false;
  /**
   * Address format of the displayed fields. Until the selected country's format has loaded, this is
   * the previous country's format.
   */
  displayedFormat: AddressFormat | undefined;
  readonly #endpointUrl: string;
  readonly #language: string;
  readonly #onChange: (previousFormat: AddressFormat | undefined) => void;
  #country = '';
  #selection = Promise.resolve();
  #displayedCountry = '';
  #previousFormat: AddressFormat | undefined;

  /**
   * @param endpointUrl endpoint URL with a trailing slash.
   * @param onChange function called when the form must update. Receives the most recent previous
   *   format that has a state field.
   */
  constructor(
    endpointUrl: string,
    language: string,
    onChange: (previousFormat: AddressFormat | undefined) => void,
  ) {
    this.#endpointUrl = endpointUrl;
    this.#language = language;
    this.#onChange = onChange;
  }

  /** Format of the selected country. Undefined until loaded, or if the country has no format. */
  get format(): AddressFormat | undefined {
    return this.#country === this.#displayedCountry ? this.displayedFormat : undefined;
  }

  loadCountriesWhenIdle(): void {
    runWhenIdle(() => void this.loadCountries());
  }

  /**
   * Loads the countries and their names. This is slow: `Intl.DisplayNames` takes 100 ms on an old
   * phone.
   */
  async loadCountries(): Promise<void> {
    if (this.countries) return;
    const list = await fetchCached<CountryList>(`${this.#endpointUrl}countries`).catch(
      () => undefined,
    );
    this.isCountryFreeText = list === undefined;
    if (list) this.countries ??= toNamedCountries(list, this.#language);
    this.#onChange(this.#previousFormat);
  }

  /**
   * Loads the address format of a country, unless the country is already selected.
   * @param country ISO 3166-1 alpha-2 code. Other values have no format.
   */
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
