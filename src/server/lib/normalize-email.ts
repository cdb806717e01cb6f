/** Two emails are the same if their normalized forms are equal. */
export function normalizeEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}
