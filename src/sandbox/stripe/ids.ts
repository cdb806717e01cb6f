import { randomBytes } from 'node:crypto';

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';

export const createId = (prefix: string, length = 24): string =>
  `${prefix}_${Array.from(randomBytes(length), (byte) => LETTERS[byte % LETTERS.length]).join('')}`;

/** Returns the ID from a reference, which is an ID or an expanded object. */
export function getReferencedId(
  reference: string | { readonly id?: string } | null | undefined,
): string {
  const id = typeof reference === 'string' ? reference : reference?.id;
  if (id === undefined) throw new Error('The reference is missing.');
  return id;
}
