import { ConfigurationError } from '../lib/configuration-error.ts';

const MIN_BITS = 128;
const MAX_CHARACTERS = 200;
const MIN_DISTINCT_CHARACTERS = 8;

/**
 * Character classes and their sizes. `a` to `f` form a separate class, because hexadecimal secrets
 * use no other letters.
 */
const ALPHABETS: readonly (readonly [RegExp, number])[] = [
  [/[0-9]/, 10],
  [/[a-f]/, 6],
  [/[g-z]/, 20],
  [/[A-F]/, 6],
  [/[G-Z]/, 20],
  [/[-_]/, 2],
];

/**
 * Checks the strength of a secret in a webhook URL. Randomness cannot be measured, so the check
 * rejects secrets that are too short for their character classes or have too few distinct
 * characters.
 * @param place the secret's path in the configuration.
 * @throws {ConfigurationError} if the secret is weak or invalid. The message does not reveal the
 *   secret.
 */
export function assertWebhookSecretIsStrong(secret: string, place: string): void {
  const alphabetSize = ALPHABETS.reduce(
    (sum, [kind, count]) => sum + (kind.test(secret) ? count : 0),
    0,
  );
  if (
    /^[\w-]+$/.test(secret) &&
    secret.length <= MAX_CHARACTERS &&
    secret.length * Math.log2(alphabetSize) >= MIN_BITS &&
    new Set(secret).size >= MIN_DISTINCT_CHARACTERS
  )
    return;
  throw new ConfigurationError(
    `${place}: found a weak secret of ${secret.length} characters; expected at least ` +
      `${MIN_BITS} random bits in at most ${MAX_CHARACTERS} characters from A-Z, a-z, 0-9, -, and _. ` +
      'Generate one with: openssl rand -hex 32',
  );
}
