import type { MiddlewareHandler } from 'hono';

/**
 * Forbid scripts, framing, and cross-origin embedding. `Strict-Transport-Security` applies to a
 * whole host, so the proxy that terminates TLS must set it.
 */
export const SECURITY_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), usb=()',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const;

export function addMissingHeaders(
  headers: Headers,
  missing: Readonly<Record<string, string>>,
): void {
  for (const [name, value] of Object.entries(missing))
    if (!headers.has(name)) headers.set(name, value);
}

export function createSecurityHeadersMiddleware(): MiddlewareHandler {
  return async (c, next) => {
    await next();
    addMissingHeaders(c.res.headers, SECURITY_HEADERS);
  };
}
