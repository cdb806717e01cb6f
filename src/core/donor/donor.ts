/** Donor fields in display order, with the maximum length of each field in characters. */
export const MAX_DONOR_FIELD_LENGTHS = {
  firstName: 100,
  lastName: 100,
  email: 254,
  phone: 32,
  address1: 200,
  address2: 200,
  city: 100,
  state: 100,
  postal: 20,
  country: 100,
} as const;

/** Spelled as in the Fundraising Platform API ("Embedded form settings", donorInfo). */
export type DonorField = keyof typeof MAX_DONOR_FIELD_LENGTHS;
export const DONOR_FIELDS = Object.keys(MAX_DONOR_FIELD_LENGTHS) as DonorField[];

/** Maximum length of a field's text or a URL parameter. Many fields have a lower limit. */
export const MAX_TEXT_LENGTH = 1_000;
export const MAX_COMMENT_LENGTH = 1_000;
export const MAX_ORGANIZATION_LENGTH = 200;
export const MAX_CONSENT_LENGTH = 2_000;
export const MAX_CONSENTS = 20;
export const MAX_SPLITS = 500;
export const MAX_PAGE_URL_LENGTH = 1_000;
export const MAX_CODE_LENGTH = 100;

/** Matches control characters, lone surrogates, and bidirectional controls, which disguise text. */
const unsafeCharacters =
  // oxlint-disable-next-line no-control-regex -- the pattern matches control characters on purpose
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\p{Cs}]/gu;

/** Matches characters that some programs copy to the clipboard instead of line breaks. */
const LINE_SEPARATOR = /[\v\f\u0085\u2028\u2029]/;

/** Converts text to a single trimmed line and removes unsafe characters. */
export function cleanLine(text: string): string {
  return text
    .replace(/[\s\u0085]+/g, ' ')
    .replace(unsafeCharacters, '')
    .replace(/ +/g, ' ')
    .trim();
}

/** Removes unsafe characters like {@link cleanLine}, but keeps line breaks, as `\n`. */
export function cleanText(text: string): string {
  return text
    .split(/\r\n|[\r\n\v\f\u0085\u2028\u2029]/)
    .map((line) => line.replace(/\t/g, ' ').replace(unsafeCharacters, '').trimEnd())
    .join('\n')
    .trim();
}

/** Replaces line separators and the spaces before them with `\n`. */
export function normalizeLineBreaks(text: string): string {
  if (!LINE_SEPARATOR.test(text)) return text;
  return text
    .split(LINE_SEPARATOR)
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}
