import { randomBytes } from 'node:crypto';
import { getCookie } from 'hono/cookie';
import { hashSha256 } from '../../lib/hash.ts';
import type { RouteContext } from '../context.ts';
import { isIdempotencyKey } from '../idempotency-key.ts';

/**
 * Cookie that contains the idempotency keys of the donor's latest donations, newest first. The page
 * uses a key to show the donation's outcome after the payment provider redirects the donor back,
 * and after the donor navigates back or reloads the page. The cookie has no path attribute, so
 * browsers derive its path from the page's URL.
 */
const COOKIE = 'donation-form-keys';

/** Cookie lifetime in seconds. Exceeds the time for which payment pages remain open. */
const MAX_AGE = 2 * 3_600;

/**
 * Maximum number of keys in the cookie. A donor can have several donations open in different tabs.
 */
const MAX_KEYS = 4;

/**
 * Query parameter that identifies one of the donor's donations. Its value is a truncated hash of
 * the donation's idempotency key, because URLs must not contain the key itself.
 */
const DONATION_PARAMETER = 'donation';
const PARAMETER_LENGTH = 11;

/** Creates an idempotency key for a rendered page. */
export const createIdempotencyKey = (): string => randomBytes(18).toString('base64url');

/**
 * Returns the idempotency key of the donation that the URL identifies, or the latest donation's key
 * if the URL has no donation parameter.
 */
export function readDonationKey(c: RouteContext): string | undefined {
  const keys = readKeys(c);
  const value = c.req.query(DONATION_PARAMETER);
  return value === undefined ? keys[0] : keys.find((key) => toParameter(key) === value);
}

/** Returns the page's URL with a donation parameter for the given idempotency key. */
export function addDonationParameter(page: URL, key: string): URL {
  const url = new URL(page);
  url.searchParams.set(DONATION_PARAMETER, toParameter(key));
  return url;
}

/** Returns a URL without the donation parameter. Does not re-encode the rest of the query. */
export function removeDonationParameter(url: URL): URL {
  const cleaned = new URL(url);
  const isOther = (pair: string): boolean => !pair.startsWith(`${DONATION_PARAMETER}=`);
  cleaned.search = cleaned.search.slice(1).split('&').filter(isOther).join('&');
  return cleaned;
}

export function addKeyToCookie(c: RouteContext, key: string, isSecure: boolean): void {
  writeKeys(c, [key, ...readKeys(c).filter((other) => other !== key)], isSecure);
}

/** Removes from the cookie the key that {@link readDonationKey} returns. */
export function removeKeyFromCookie(c: RouteContext, isSecure: boolean): void {
  const key = readDonationKey(c);
  writeKeys(
    c,
    readKeys(c).filter((other) => other !== key),
    isSecure,
  );
}

/** Returns the valid idempotency keys in the cookie, newest first. */
export const readKeys = (c: RouteContext): string[] =>
  getCookie(c, COOKIE)?.split('.').filter(isIdempotencyKey).slice(0, MAX_KEYS) ?? [];

function writeKeys(c: RouteContext, keys: readonly string[], isSecure: boolean): void {
  const value = keys.slice(0, MAX_KEYS).join('.');
  c.header(
    'Set-Cookie',
    `${COOKIE}=${value}; Max-Age=${value === '' ? 0 : MAX_AGE}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
  );
}

const toParameter = (key: string): string => hashSha256(key).slice(0, PARAMETER_LENGTH);
