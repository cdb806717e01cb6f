import { Problem } from '../lib/problem.ts';

const KEY_PATTERN = /^[\w-]{22,100}$/;
const MIN_DISTINCT_CHARACTERS = 8;

/** Returns true if a text has the format of an idempotency key. */
export const isIdempotencyKey = (text: string): boolean =>
  KEY_PATTERN.test(text) && new Set(text).size >= MIN_DISTINCT_CHARACTERS;

/**
 * Validates and returns an idempotency key, which must look like at least 128 random bits in
 * base64url. The server cannot measure randomness, but it can reject keys that are too short or
 * repetitive.
 * @throws {Problem} idempotency-key-missing, idempotency-key-invalid.
 */
export function parseIdempotencyKey(key: string | undefined): string {
  if (!key)
    throw new Problem(
      'idempotency-key-missing',
      'The Idempotency-Key header is missing. Create a random key for each donation, and send ' +
        'the same key with every attempt.',
    );
  if (!isIdempotencyKey(key)) {
    throw new Problem(
      'idempotency-key-invalid',
      `The length of the Idempotency-Key header is ${key.length}; expected 22 to 100 characters ` +
        `from A-Z, a-z, 0-9, -, and _, at least ${MIN_DISTINCT_CHARACTERS} of them distinct. Send at least ` +
        '128 random bits in base64url.',
    );
  }
  return key;
}
