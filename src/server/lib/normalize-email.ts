/** Two emails are the same if their normalized forms are equal. */
export function normalizeEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

/** Ignores case. Dots are significant, because most mail servers distinguish `a.b@` from `ab@`. */
export function isSameEmail(one: string | undefined, other: string): boolean {
  return one !== undefined && normalizeEmail(one) === normalizeEmail(other);
}

export const getEmailDomain = (email: string): string => email.slice(email.lastIndexOf('@') + 1);
