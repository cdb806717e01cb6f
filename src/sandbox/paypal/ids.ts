import { randomInt } from 'node:crypto';

const CHARACTERS = '0123456789ABCDEFGHJKLMNPRSTUVWXY';

/**
 * Creates a random ID of uppercase letters and digits. Its default length is that of transaction
 * IDs, 17 characters.
 */
export function createId(prefix = '', length = 17): string {
  return prefix + Array.from({ length }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join('');
}
