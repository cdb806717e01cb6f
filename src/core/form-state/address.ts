import {
  type AddressField,
  cleanLine,
  DEFAULT_REQUIRED_FIELDS,
  type DonorField,
  isAddressField,
} from '../donor/index.ts';
import { normalizeDigits } from '../money/index.ts';
import type { AddressFormat, CountryList, FormDefinition } from '../schemas/index.ts';

type DonorFields = FormDefinition['donorFields'];
type Donor = Readonly<Partial<Record<DonorField, string>>>;

export interface AddressError {
  readonly control: 'country' | AddressField;
  readonly code: 'missing' | 'not-a-postal';
}

function normalizeName(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('&', ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
}

/**
 * Finds a country by code or English name (rule 44). Calls `englishName` only if the text is not a
 * code, because name lookups are slow.
 */
export function findCountryCode(
  text: string,
  countries: Readonly<CountryList>,
  englishName: (code: string) => string,
): string | undefined {
  const normalized = normalizeName(text);
  const findCode = (name: (country: CountryList[number]) => string): string | undefined =>
    countries.find((country) => normalizeName(name(country)) === normalized)?.code;
  return (
    findCode(({ code }) => code) ??
    findCode(({ alpha3 }) => alpha3) ??
    findCode(({ code }) => englishName(code))
  );
}

/** Finds the code of a state by code or name (rule 44). */
export function findStateCode(text: string, { states = [] }: AddressFormat): string | undefined {
  const normalized = normalizeName(text);
  return (
    states.find(({ code }) => normalizeName(code) === normalized) ??
    states.find(
      ({ name, latin }) =>
        normalizeName(name) === normalized ||
        (latin !== undefined && normalizeName(latin) === normalized),
    )
  )?.code;
}

export function formatHasField(format: AddressFormat, field: AddressField): boolean {
  return format.lines.some((line) => line.includes(field));
}

/** Clears a state of the previous country's list, because countries can use the same codes. */
export function convertStateToFormat(
  state: string,
  previousFormat: AddressFormat | undefined,
  format: AddressFormat | undefined,
): string {
  if (!format || format === previousFormat || !formatHasField(format, 'state')) return state;
  if (previousFormat?.states?.some(({ code }) => code === state)) return '';
  return format.states ? (findStateCode(state, format) ?? '') : state;
}

/** Arranges the form's address fields in rows, or one per row if the format is unknown. */
export function getAddressRows(
  fields: DonorFields,
  format: AddressFormat | undefined,
): readonly (readonly AddressField[])[] {
  const offered = fields.map(({ name }) => name).filter(isAddressField);
  if (!format) return offered.map((name) => [name]);
  return format.lines
    .map((line) => line.filter((name) => offered.includes(name)))
    .filter((line) => line.length > 0);
}

export function isAddressFieldRequired(
  name: 'country' | AddressField,
  fields: DonorFields,
  format: AddressFormat | undefined,
): boolean {
  const isRequiredByForm = fields.some((field) => field.name === name && field.required);
  return (
    isRequiredByForm &&
    (name === 'country' || (format?.required ?? DEFAULT_REQUIRED_FIELDS).includes(name))
  );
}

export function validateAddress(
  donor: Donor,
  format: AddressFormat | undefined,
  fields: DonorFields,
): AddressError[] {
  return (['country', ...getAddressRows(fields, format).flat()] as const).flatMap(
    (control): AddressError[] => {
      const text = cleanLine(donor[control] ?? '');
      if (text === '')
        return isAddressFieldRequired(control, fields, format)
          ? [{ control, code: 'missing' }]
          : [];
      return control === 'postal' &&
        !isValidPostalCode(normalizePostalCode(text, donor.country, format), format)
        ? [{ control, code: 'not-a-postal' }]
        : [];
    },
  );
}

/** The values of fields that the country does not use may belong to another country's address. */
export function removeUnusedAddressFields(donor: Donor, format: AddressFormat | undefined): Donor {
  if (!format) return donor;
  const usedFields = Object.entries(donor).filter(
    ([name]) => !isAddressField(name) || formatHasField(format, name),
  );
  return Object.fromEntries(
    usedFields.map(([name, text]) => [
      name,
      name === 'postal' ? normalizePostalCode(text, donor.country, format) : text,
    ]),
  );
}

/** Prefixes of postal codes in addition to the country's code, such as in `D-10115`. */
const POSTAL_PREFIXES: Readonly<Record<string, string>> = {
  AT: 'A',
  BE: 'B',
  DE: 'D',
  ES: 'E',
  FR: 'F',
  GF: 'F',
  GP: 'F',
  HU: 'H',
  IT: 'I',
  LI: 'FL',
  LU: 'L',
  MC: 'F',
  MQ: 'F',
  NO: 'N',
  PT: 'P',
  RE: 'F',
  SE: 'S',
  SM: 'I',
  VA: 'I',
  YT: 'F',
};

/** Corrects separators and removes the country's prefix if the result is valid. */
function normalizePostalCode(
  typed: string,
  country: string | undefined,
  format: AddressFormat | undefined,
): string {
  const text = cleanLine(normalizeDigits(typed))
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .toUpperCase();
  if (!format?.postal) return text;
  const { example } = format.postal;
  const [, prefix = '', rest = ''] = /^(\p{L}{1,2})[- ](.*)/u.exec(text) ?? [];
  const hasCountryPrefix =
    prefix === country || (country !== undefined && prefix === POSTAL_PREFIXES[country]);
  const respelled = (hasCountryPrefix ? [text, rest] : [text]).map((code) =>
    copySeparators(code.replace(/[^\p{L}\p{N}]/gu, ''), example),
  );
  const candidates = /\W/.test(example) ? [...respelled, text] : [text, ...respelled];
  return candidates.find((code) => isValidPostalCode(code, format)) ?? text;
}

/** Inserts the example's separators, which are at the same distance from the end in every code. */
function copySeparators(code: string, example: string): string {
  return [...example.matchAll(/\W/g)].reduceRight((result, { 0: separator, index }) => {
    const end = result.length - (example.length - index - 1);
    return end > 0 ? result.slice(0, end) + separator + result.slice(end) : result;
  }, code);
}

function isValidPostalCode(code: string, format: AddressFormat | undefined): boolean {
  return !format?.postal || new RegExp(`^(?:${format.postal.pattern})$`, 'u').test(code);
}
