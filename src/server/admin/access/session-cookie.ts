import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';

function isRequestedOverHttps(c: Context): boolean {
  return (
    new URL(c.req.url).protocol === 'https:' ||
    c.req.header('X-Forwarded-Proto')?.split(',')[0]?.trim() === 'https'
  );
}

/** Over HTTPS, browsers accept a `__Host-` cookie only over HTTPS and only from this exact host. */
function getCookieName(c: Context, name: 'admin' | 'admin-browser' = 'admin'): string {
  return isRequestedOverHttps(c) ? `__Host-${name}` : name;
}

export function readTokenCookie(c: Context): string | undefined {
  return getCookie(c, getCookieName(c));
}

/**
 * `Lax`, because people come from links in mails and from identity providers. Forms have CSRF
 * tokens, and no page changes anything without one.
 */
export function setTokenCookie(c: Context, token: string): void {
  setCookie(c, getCookieName(c), token, getCookieOptions(c));
}

export function readBrowserCookie(c: Context): string | undefined {
  return getCookie(c, getCookieName(c, 'admin-browser'));
}

/** Remembers for a year that someone has signed in with this browser. */
export function setBrowserCookie(c: Context, value: string): void {
  const options = { ...getCookieOptions(c), maxAge: 31_536_000 };
  setCookie(c, getCookieName(c, 'admin-browser'), value, options);
}

const getCookieOptions = (c: Context) =>
  ({ httpOnly: true, sameSite: 'Lax', secure: isRequestedOverHttps(c), path: '/' }) as const;
