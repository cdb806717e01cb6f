import { randomBytes } from 'node:crypto';
import { getCookie } from 'hono/cookie';
import { hashSha256 } from '../../lib/hash.ts';
import type { RouteContext } from '../context.ts';

/**
 * Cookie that holds the idempotency keys of the donor's last donations, newest first. With its key,
 * the page can show a donation's outcome when the payment provider sends the donor back, and after
 * Back and reload. The cookie applies to the page's own path.
 */
const COOKIE = 'donation-form-keys';

/** Lifetime in seconds. Longer than payment pages stay open. */
const MAX_AGE = 2 * 3_600;

/** Donations that a donor can have open in several tabs. */
const MAX_KEYS = 4;

/**
 * Query parameter that says which of the donor's donations a URL is about. The value is derived from
 * the donation's key, which no URL may contain.
 */
const DONATION_PARAMETER = 'donation';
const PARAMETER_LENGTH = 11;

/** Creates the idempotency key of a rendered page. */
export const createIdempotencyKey = (): string => randomBytes(18).toString('base64url');

/** Returns the key of the donation that the URL is about, by default of the last donation. */
export function readDonationKey(c: RouteContext): string | undefined {
  const keys = readKeys(c);
  const value = c.req.query(DONATION_PARAMETER);
  return value === undefined ? keys[0] : keys.find((key) => toParameter(key) === value);
}

/** Returns the URL of the page about the donation with this key. */
export function addDonationParameter(page: URL, key: string): URL {
  const url = new URL(page);
  url.searchParams.set(DONATION_PARAMETER, toParameter(key));
  return url;
}

/** Returns a URL that is about no particular donation. The rest of its query stays as written. */
export function removeDonationParameter(url: URL): URL {
  const cleaned = new URL(url);
  const isOther = (pair: string): boolean => !pair.startsWith(`${DONATION_PARAMETER}=`);
  cleaned.search = cleaned.search.slice(1).split('&').filter(isOther).join('&');
  return cleaned;
}

export function addKeyToCookie(c: RouteContext, key: string, isSecure: boolean): void {
  writeKeys(c, [key, ...readKeys(c).filter((other) => other !== key)], isSecure);
}

/** Removes the key of the donation that the URL is about. */
export function removeKeyFromCookie(c: RouteContext, isSecure: boolean): void {
  const key = readDonationKey(c);
  writeKeys(
    c,
    readKeys(c).filter((other) => other !== key),
    isSecure,
  );
}

const readKeys = (c: RouteContext): string[] =>
  getCookie(c, COOKIE)?.split('.').filter(Boolean).slice(0, MAX_KEYS) ?? [];

function writeKeys(c: RouteContext, keys: readonly string[], isSecure: boolean): void {
  const value = keys.slice(0, MAX_KEYS).join('.');
  c.header(
    'Set-Cookie',
    `${COOKIE}=${value}; Max-Age=${value === '' ? 0 : MAX_AGE}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
  );
}

const toParameter = (key: string): string => hashSha256(key).slice(0, PARAMETER_LENGTH);
