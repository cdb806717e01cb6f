import type { AddressFormat, CountryList, FormDefinition } from '@donation-form/core/schemas';
import {
  NEEDED_ANYWHERE,
  isAddressField,
  type AddressField,
  cleanLine,
  type DonorField,
} from '@donation-form/core/donor';

type DonorFields = FormDefinition['donorFields'];
type Donor = Readonly<Partial<Record<DonorField, string>>>;

/** What is wrong with a field of the address. */
export interface AddressProblem {
  readonly control: 'country' | AddressField;
  readonly code: 'missing' | 'not-a-postal';
}

/** A text without what people leave out or write in several ways: case, accents, punctuation. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('&', ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
}

/**
 * A country by its alpha-2 or alpha-3 code or its English name, in any case; its alpha-2 code, or
 * `undefined` (rule 44).
 * @param englishName asked only for what is no code: naming countries is dear.
 */
export function readCountry(
  text: string,
  countries: Readonly<CountryList>,
  englishName: (code: string) => string,
): string | undefined {
  const word = fold(text);
  const named = (name: (country: CountryList[number]) => string): string | undefined =>
    countries.find((country) => fold(name(country)) === word)?.code;
  return (
    named(({ code }) => code) ??
    named(({ alpha3 }) => alpha3) ??
    named(({ code }) => englishName(code))
  );
}

/**
 * A state by its code or one of its names; its code, or `undefined` where the country does not list
 * it (rule 44).
 */
export function readState(text: string, { states = [] }: AddressFormat): string | undefined {
  const word = fold(text);
  return (
    states.find(({ code }) => fold(code) === word) ??
    states.find(
      ({ name, latin }) => fold(name) === word || (latin !== undefined && fold(latin) === word),
    )
  )?.code;
}

/** Whether addresses of the country have this field. */
export function usesField(format: AddressFormat, field: AddressField): boolean {
  return format.lines.some((line) => line.includes(field));
}

/**
 * The state once another country's format is there: what was chosen from a list is no state of
 * another country, even where the code is the same.
 * @param former the last format before it that has states.
 */
export function stateAfter(
  state: string,
  former: AddressFormat | undefined,
  format: AddressFormat | undefined,
): string {
  if (!format || format === former || !usesField(format, 'state')) return state;
  if (former?.states?.some(({ code }) => code === state)) return '';
  return format.states ? (readState(state, format) ?? '') : state;
}

/**
 * The fields of the address that a form shows, as rows: in the country's order, or one by one in
 * the form's own while no format is known.
 */
export function addressLines(
  fields: DonorFields,
  format: AddressFormat | undefined,
): readonly (readonly AddressField[])[] {
  const offered = fields.map(({ name }) => name).filter(isAddressField);
  if (!format) return offered.map((name) => [name]);
  return format.lines
    .map((line) => line.filter((name) => offered.includes(name)))
    .filter((line) => line.length > 0);
}

/** Whether a field must be filled in: the form asks for it, and the country needs it. */
export function isNeeded(
  name: 'country' | AddressField,
  fields: DonorFields,
  format: AddressFormat | undefined,
): boolean {
  const isAsked = fields.some((field) => field.name === name && field.required);
  return isAsked && (name === 'country' || (format?.required ?? NEEDED_ANYWHERE).includes(name));
}

/**
 * What is missing or wrong in the address, in the order in which it is shown.
 * @param format the chosen country's, where it is known.
 */
export function addressProblems(
  donor: Donor,
  format: AddressFormat | undefined,
  fields: DonorFields,
): AddressProblem[] {
  return (['country', ...addressLines(fields, format).flat()] as const).flatMap(
    (control): AddressProblem[] => {
      const text = cleanLine(donor[control] ?? '');
      if (text === '')
        return isNeeded(control, fields, format) ? [{ control, code: 'missing' }] : [];
      return control === 'postal' && !isPostal(text, format)
        ? [{ control, code: 'not-a-postal' }]
        : [];
    },
  );
}

/**
 * What of the donor's fields is sent: none that the country does not use, which may hold what was
 * typed for another, and the postal code in capitals.
 */
export function withinCountry(donor: Donor, format: AddressFormat | undefined): Donor {
  if (!format) return donor;
  const kept = Object.entries(donor).filter(
    ([name]) => !isAddressField(name) || usesField(format, name),
  );
  return Object.fromEntries(
    kept.map(([name, text]) => [name, name === 'postal' ? tidyPostal(text) : text]),
  );
}

/** Capitals, plain digits and plain hyphens: Japanese keyboards write wide ones. */
function tidyPostal(text: string): string {
  return cleanLine(text.normalize('NFKC'))
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .toUpperCase();
}

function isPostal(text: string, format: AddressFormat | undefined): boolean {
  return (
    !format?.postal || new RegExp(`^(?:${format.postal.pattern})$`, 'u').test(tidyPostal(text))
  );
}
