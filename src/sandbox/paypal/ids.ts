import { randomInt } from 'node:crypto';

const CHARACTERS = '0123456789ABCDEFGHJKLMNPRSTUVWXY';

/**
 * Creates a random ID of uppercase letters and digits. The default length of 17 characters matches
 * PayPal's transaction IDs.
 */
export function createId(prefix = '', length = 17): string {
  return prefix + Array.from({ length }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join('');
}
