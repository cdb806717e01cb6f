import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';

function isRequestedOverHttps(c: Context): boolean {
  return (
    new URL(c.req.url).protocol === 'https:' ||
    c.req.header('X-Forwarded-Proto')?.split(',')[0]?.trim() === 'https'
  );
}

/** Over HTTPS, browsers accept a `__Host-` cookie only over HTTPS and only from this exact host. */
function getCookieName(c: Context): string {
  return isRequestedOverHttps(c) ? '__Host-admin' : 'admin';
}

export function readTokenCookie(c: Context): string | undefined {
  return getCookie(c, getCookieName(c));
}

/**
 * `Lax`, because people come from links in mails and from identity providers. Forms have CSRF
 * tokens, and no page changes anything without one.
 */
export function setTokenCookie(c: Context, token: string): void {
  setCookie(c, getCookieName(c), token, {
    httpOnly: true,
    sameSite: 'Lax',
    secure: isRequestedOverHttps(c),
    path: '/',
  });
}
