import { MAX_DONOR_FIELD_LENGTHS } from './donor.ts';

const emailPattern = /^[^\s@"(),:;<>[\]\\]+@[^\s@"(),:;<>[\]\\.]+(?:\.[^\s@"(),:;<>[\]\\.]+)+$/;

/**
 * Returns true if the text looks like an email address: one `@`, a domain with a dot, and a valid
 * length.
 */
export function isEmail(text: string): boolean {
  return emailPattern.test(text) && text.length <= MAX_DONOR_FIELD_LENGTHS.email;
}
