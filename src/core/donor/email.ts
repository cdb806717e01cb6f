import { DONOR_FIELD_LENGTHS } from './donor.ts';

const emailForm = /^[^\s@"(),:;<>[\]\\]+@[^\s@"(),:;<>[\]\\.]+(?:\.[^\s@"(),:;<>[\]\\.]+)+$/;

/**
 * Whether a text could be an e-mail address: one `@`, a domain with a dot. Whether it exists only a
 * message can tell.
 */
export function isEmail(text: string): boolean {
  return emailForm.test(text) && text.length <= DONOR_FIELD_LENGTHS.email;
}
