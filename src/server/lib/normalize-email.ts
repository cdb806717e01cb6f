import { domainToASCII } from 'node:url';

/** Two emails are the same if their normalized forms are equal. */
export function normalizeEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

/** Ignores case. Dots are significant, because most mail servers distinguish `a.b@` from `ab@`. */
export function isSameEmail(one: string | undefined, other: string): boolean {
  return one !== undefined && normalizeEmail(one) === normalizeEmail(other);
}

/**
 * Returns the mailbox to which most providers deliver an email, for limits and blocks. The domain is
 * as in DNS.
 */
export function toMailbox(email: string): string {
  const normalized = normalizeEmail(email);
  const domain = domainToASCII(getEmailDomain(normalized)).replace(
    /^googlemail\.com$/,
    'gmail.com',
  );
  const [local = ''] = normalized.slice(0, normalized.lastIndexOf('@')).split('+');
  return `${domain === 'gmail.com' ? local.replaceAll('.', '') : local}@${domain}`;
}

export const getEmailDomain = (email: string): string => email.slice(email.lastIndexOf('@') + 1);
