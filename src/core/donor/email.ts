import { MAX_DONOR_FIELD_LENGTHS } from './donor.ts';

const emailPattern = /^[^\s@"(),:;<>[\]\\]+@[^\s@"(),:;<>[\]\\.]+(?:\.[^\s@"(),:;<>[\]\\.]+)+$/;

/** Returns true if the text looks like an email address: one `@` and a domain with a dot. */
export function isEmail(text: string): boolean {
  return emailPattern.test(text) && text.length <= MAX_DONOR_FIELD_LENGTHS.email;
}
