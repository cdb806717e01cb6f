import { cleanLine, type DonorField, MAX_DONOR_FIELD_LENGTHS } from './donor.ts';

const emailPattern =
  /^[^\s@"(),:;<>[\]\\\ufffd]+@[^\s@"(),:;<>[\]\\.\ufffd]+(?:\.[^\s@"(),:;<>[\]\\.\ufffd]+)+$/;

export function isEmail(text: string): boolean {
  return emailPattern.test(text) && text.length <= MAX_DONOR_FIELD_LENGTHS.email;
}

/** Cleans a typed or pasted email. Also removes invisible characters and nonbreaking spaces. */
export function cleanEmail(text: string): string {
  return cleanLine(text.replace(/[\p{DI}\u00a0\u202f]/gu, ''));
}

export function cleanDonorField(name: DonorField, text = ''): string {
  return name === 'email' ? cleanEmail(text) : cleanLine(text);
}

export function truncate(text: string, maxLength: number): string {
  return text.slice(0, maxLength).trim();
}
