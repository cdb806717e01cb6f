import { Problem } from './problem.ts';

/** The largest body of a donation, in bytes: all custom fields full are 150,000. */
export const LARGEST_BODY = 256 * 1024;
/** The largest webhook of a payment provider, in bytes. */
export const LARGEST_WEBHOOK = 512 * 1024;
/** The largest webhook of a fundraising platform, in bytes. */
export const LARGEST_PLATFORM_WEBHOOK = 256 * 1024;
/** The largest report of ignored settings, in bytes. */
export const LARGEST_REPORT = 8 * 1024;

const keyForm = /^[\w-]{22,100}$/;
const LEAST_DIFFERENT_CHARACTERS = 8;

/**
 * Checks an `Idempotency-Key`: at least 128 random bits, base64url.
 * Randomness cannot be measured; a key that is short or repeats itself is no random one.
 * @throws {Problem} idempotency-key-missing, idempotency-key-weak.
 */
export function checkKey(key: string | undefined): string {
  if (!key) throw new Problem('idempotency-key-missing', 'The header Idempotency-Key is missing. Make one random key for each gift and send it with every try.');
  if (!keyForm.test(key) || new Set(key).size < LEAST_DIFFERENT_CHARACTERS) {
    throw new Problem('idempotency-key-weak', `The Idempotency-Key has ${key.length} characters; expected 22 to 100 random ones of A-Z a-z 0-9 - _, which is 128 bits or more.`);
  }
  return key;
}

/**
 * Checks that a request comes from a page that may show the form. Browsers send the header `Origin` with every POST.
 * @throws {Problem} origin-not-allowed.
 */
export function checkOrigin(origin: string | undefined, allowed: ReadonlySet<string>): void {
  if (origin === undefined || !allowed.has(origin)) {
    throw new Problem('origin-not-allowed', origin === undefined ? 'The header Origin is missing: gifts are taken from web pages only, whose browsers send it.'
      : 'The page that sent this is not on the list. Add its origin, exactly as in the header Origin, to "origins" in the configuration.');
  }
}

/** @throws {Problem} content-type-unsupported. */
export function checkContentType(type: string | undefined): void {
  if (type?.split(';')[0]?.trim().toLowerCase() !== 'application/json') throw new Problem('content-type-unsupported', 'Expected the header Content-Type: application/json.');
}
