import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';

/** Returns true if the server, or the proxy in front of it, received the request over HTTPS. */
function isRequestedOverHttps(c: Context): boolean {
  return (
    new URL(c.req.url).protocol === 'https:' ||
    c.req.header('X-Forwarded-Proto')?.split(',')[0]?.trim() === 'https'
  );
}

/**
 * Returns the name of the session cookie. Over HTTPS, the name has the `__Host-` prefix, so
 * browsers accept the cookie only over HTTPS and only from this exact host.
 */
function getCookieName(c: Context): string {
  return isRequestedOverHttps(c) ? '__Host-admin' : 'admin';
}

export function readTokenCookie(c: Context): string | undefined {
  return getCookie(c, getCookieName(c));
}

export function setTokenCookie(c: Context, token: string): void {
  setCookie(c, getCookieName(c), token, {
    httpOnly: true,
    sameSite: 'Strict',
    secure: isRequestedOverHttps(c),
    path: '/',
  });
}
