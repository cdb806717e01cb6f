import { ConfigurationError } from '../lib/configuration-error.ts';

const LEAST_BITS = 128;
const MOST_CHARACTERS = 200;
const LEAST_DIFFERENT_CHARACTERS = 8;

/**
 * Kinds of characters, and how many of each there are; of letters up to f only, as many as
 * hexadecimal has.
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
 * Checks a secret that stands in an address.
 * Randomness cannot be measured; a secret that is short for its characters, or repeats itself, is
 * no random one.
 * @param place in the configuration.
 * @throws {ConfigurationError} which does not repeat it.
 */
export function checkSecret(secret: string, place: string): void {
  const letters = ALPHABETS.reduce(
    (sum, [kind, count]) => sum + (kind.test(secret) ? count : 0),
    0,
  );
  if (
    /^[\w-]+$/.test(secret) &&
    secret.length <= MOST_CHARACTERS &&
    secret.length * Math.log2(letters) >= LEAST_BITS &&
    new Set(secret).size >= LEAST_DIFFERENT_CHARACTERS
  )
    return;
  throw new ConfigurationError(
    `${place}: the secret has ${secret.length} characters; expected 128 random bits or more, of A-Z a-z 0-9 - _ only, such as openssl rand -hex 32 prints`,
  );
}
