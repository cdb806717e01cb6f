import { Problem } from '../lib/problem.ts';

const keyForm = /^[\w-]{22,100}$/;
const LEAST_DIFFERENT_CHARACTERS = 8;

/**
 * Checks an `Idempotency-Key`: at least 128 random bits, base64url.
 * Randomness cannot be measured; a key that is short or repeats itself is no random one.
 * @throws {Problem} idempotency-key-missing, idempotency-key-invalid.
 */
export function checkKey(key: string | undefined): string {
  if (!key)
    throw new Problem(
      'idempotency-key-missing',
      'The header Idempotency-Key is missing. Make one random key for each gift and send it with every try.',
    );
  if (!keyForm.test(key) || new Set(key).size < LEAST_DIFFERENT_CHARACTERS) {
    throw new Problem(
      'idempotency-key-invalid',
      `The Idempotency-Key has ${key.length} characters; expected 22 to 100 random ones of A-Z a-z 0-9 - _, which is 128 bits or more.`,
    );
  }
  return key;
}
