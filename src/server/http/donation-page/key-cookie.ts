import { randomBytes } from 'node:crypto';
import { getCookie } from 'hono/cookie';
import type { RouteContext } from '../context.ts';

/**
 * Cookie that holds the idempotency key of the donor's last donation. With the key, the page can
 * show the outcome when the payment provider sends the donor back, and after Back and reload.
 * Because the cookie has no path, it applies to the endpoint's own folder.
 */
const COOKIE = 'donation-form-key';

/** Lifetime in seconds. Longer than payment pages stay open. */
const MAX_AGE = 2 * 3_600;

/** Creates the idempotency key of a rendered page. */
export const createIdempotencyKey = (): string => randomBytes(18).toString('base64url');

export const readKeyCookie = (c: RouteContext): string | undefined => getCookie(c, COOKIE);

export function setKeyCookie(c: RouteContext, key: string, isSecure: boolean): void {
  c.header(
    'Set-Cookie',
    `${COOKIE}=${key}; Max-Age=${MAX_AGE}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
  );
}

export function deleteKeyCookie(c: RouteContext): void {
  c.header('Set-Cookie', `${COOKIE}=; Max-Age=0; HttpOnly; SameSite=Lax`);
}
