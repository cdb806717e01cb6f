import type { AddressFormat, CountryList } from '@donation-form/core/schemas';
import { usesField } from '../state/address.ts';
import { onIdle } from '../page/on-idle.ts';

const PATIENCE = 10_000;

/** What was fetched on this page, by its address: forms share it. A failure is not kept. */
const fetched = new Map<string, Promise<unknown>>();

/** @throws where nothing comes back. */
async function fetchOnce<Body>(address: string): Promise<Body> {
  const body =
    fetched.get(address) ??
    fetchBody(address).catch((error: unknown) => {
      fetched.delete(address);
      throw error;
    });
  fetched.set(address, body);
  return body as Promise<Body>;
}

async function fetchBody(address: string): Promise<unknown> {
  const response = await fetch(address, {
    credentials: 'omit',
    signal: AbortSignal.timeout(PATIENCE),
  });
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  return response.json();
}

/** A country as a list shows it. */
export type NamedCountry = CountryList[number] & { readonly name: string };

/**
 * What one form draws its address from. Where the endpoint does not answer, the address is plain
 * text fields.
 */
export class AddressSource {
  /** The countries, named and sorted in the form's language; `undefined` until they are needed. */
  countries: readonly NamedCountry[] | undefined;
  /** true: there is no list to choose from, and the country is typed. */
  isCountryTyped = false;
  /** How the address is drawn: as in the former country until the chosen one's format is there. */
  drawn: AddressFormat | undefined;
  readonly #base: string;
  readonly #language: string;
  readonly #changed: (former: AddressFormat | undefined) => void;
  #country = '';
  #drawnCountry = '';
  #former: AddressFormat | undefined;

  /**
   * @param base the endpoint's address, ending in a slash.
   * @param changed is called when there is something new to draw, with the last format before it
   *   that has states.
   */
  constructor(
    base: string,
    language: string,
    changed: (former: AddressFormat | undefined) => void,
  ) {
    this.#base = base;
    this.#language = language;
    this.#changed = changed;
  }

  /** The chosen country's format; `undefined` while it is not known. */
  get format(): AddressFormat | undefined {
    return this.#country === this.#drawnCountry ? this.drawn : undefined;
  }

  /** Names the countries as soon as the browser has nothing else to do. */
  nameCountriesWhenIdle(): void {
    onIdle(() => void this.nameCountries());
  }

  /**
   * Names the countries: 100 ms on an old phone (`Intl.DisplayNames`), so not before the first
   * paint.
   */
  async nameCountries(): Promise<void> {
    if (this.countries) return;
    const list = await fetchOnce<CountryList>(`${this.#base}countries`).catch(() => undefined);
    this.isCountryTyped = list === undefined;
    if (list) this.countries ??= namesOf(list, this.#language);
    this.#changed(this.#former);
  }

  /**
   * Fetches how an address is written in a country, and draws it so. Nothing happens where the
   * country is the same.
   * @param country ISO 3166-1 alpha-2; anything else has no format.
   */
  async choose(country: string): Promise<void> {
    if (country === this.#country) return;
    this.#country = country;
    const format = /^[A-Z]{2}$/.test(country)
      ? await fetchOnce<AddressFormat>(`${this.#base}countries/${country}`).catch(() => undefined)
      : undefined;
    if (country !== this.#country) return;
    const former = this.#former;
    this.drawn = format;
    this.#drawnCountry = country;
    if (format && usesField(format, 'state')) this.#former = format;
    this.#changed(former);
  }
}

function namesOf(list: CountryList, language: string): NamedCountry[] {
  const names = new Intl.DisplayNames(language, { type: 'region' });
  const { compare } = new Intl.Collator(language);
  return list
    .map((country) => ({ ...country, name: names.of(country.code) ?? country.code }))
    .sort((one, other) => compare(one.name, other.name));
}
