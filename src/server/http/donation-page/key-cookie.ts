import { randomBytes } from 'node:crypto';
import { getCookie } from 'hono/cookie';
import { hashSha256 } from '../../lib/hash.ts';
import type { RouteContext } from '../context.ts';
import { isIdempotencyKey } from '../idempotency-key.ts';

/**
 * Cookie with the idempotency keys of the donor's latest donations, newest first. The page uses a
 * key to show the outcome after the payment page, navigation, or a reload. The cookie has no path
 * attribute, so browsers derive its path from the page's URL.
 */
const COOKIE = 'donation-form-keys';

/** In seconds. Exceeds the time for which payment pages remain open. */
const MAX_AGE = 2 * 3_600;

/** A donor can have several donations open in different tabs. */
const MAX_KEYS = 4;

/** Identifies a donation by a truncated hash, because URLs must not contain the key itself. */
const DONATION_PARAMETER = 'donation';
const PARAMETER_LENGTH = 11;

export const createIdempotencyKey = (): string => randomBytes(18).toString('base64url');

/** Returns the key of the donation in the URL or, without a parameter, of the latest one. */
export function readDonationKey(c: RouteContext): string | undefined {
  const keys = readKeys(c);
  const value = c.req.query(DONATION_PARAMETER);
  return value === undefined ? keys[0] : keys.find((key) => toParameter(key) === value);
}

export function addDonationParameter(page: URL, key: string): URL {
  const url = new URL(page);
  url.searchParams.set(DONATION_PARAMETER, toParameter(key));
  return url;
}

/** Does not re-encode the rest of the query. */
export function removeDonationParameter(url: URL): URL {
  const cleaned = new URL(url);
  const isOther = (pair: string): boolean => !pair.startsWith(`${DONATION_PARAMETER}=`);
  cleaned.search = cleaned.search.slice(1).split('&').filter(isOther).join('&');
  return cleaned;
}

export function addKeyToCookie(c: RouteContext, key: string, isSecure: boolean): void {
  writeKeys(c, [key, ...readKeys(c).filter((other) => other !== key)], isSecure);
}

/** Removes the key that {@link readDonationKey} returns. */
export function removeKeyFromCookie(c: RouteContext, isSecure: boolean): void {
  const key = readDonationKey(c);
  writeKeys(
    c,
    readKeys(c).filter((other) => other !== key),
    isSecure,
  );
}

/** Newest first. */
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
