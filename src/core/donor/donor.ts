/**
 * The donor's fields in the order in which a form shows them, each with its greatest length in
 * characters.
 */
export const DONOR_FIELD_LENGTHS = {
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

/** A donor's field, spelled as in Fundraising Platform API, 'Embedded form settings', donorInfo. */
export type DonorField = keyof typeof DONOR_FIELD_LENGTHS;
export const DONOR_FIELDS = Object.keys(DONOR_FIELD_LENGTHS) as DonorField[];

export const COMMENT_LENGTH = 1_000;
export const ORGANIZATION_LENGTH = 200;
/** The words of a consent. */
export const CONSENT_LENGTH = 2_000;
export const MOST_CONSENTS = 20;
/** How many projects one gift is divided over at most. */
export const MOST_PARTS = 500;
/** The address of the page that a gift is given on. */
export const PAGE_LENGTH = 1_000;
/** Segment and project codes. */
export const CODE_LENGTH = 100;

/**
 * Control characters, and marks that turn the direction of text around: nobody types them, and they
 * disguise what is read.
 */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const unwanted = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A text on one line, without control characters and direction overrides, trimmed. */
export function cleanLine(text: string): string {
  return text.replace(/\s+/g, ' ').replace(unwanted, '').replace(/ +/g, ' ').trim();
}

/** A text on several lines, cleaned like {@link cleanLine}; its line breaks stay, as `\n`. */
export function cleanText(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(/\t/g, ' ').replace(unwanted, '').trimEnd())
    .join('\n')
    .trim();
}
