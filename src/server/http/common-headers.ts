import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import type { RouteEnv } from './context.ts';
import { SOLUTION_HEADER } from './routes/donations.ts';

/** First segments of the paths that pages of other origins can call. */
const CROSS_ORIGIN_PATHS = new Set([
  'form',
  'goal',
  'donations',
  'settings-report',
  'countries',
  'challenge',
]);
const EXPOSED_HEADERS = ['ETag', 'X-Request-Id', 'Retry-After'];

/**
 * Forbid scripts, framing, and cross-origin embedding. `Strict-Transport-Security` applies to a
 * whole host, so the proxy that terminates TLS must set it.
 */
const SECURITY_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), usb=()',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const;

function addMissingHeaders(headers: Headers, missing: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(missing))
    if (!headers.has(name)) headers.set(name, value);
}

export function createSecurityHeadersMiddleware(): MiddlewareHandler {
  return async (c, next) => {
    await next();
    addMissingHeaders(c.res.headers, SECURITY_HEADERS);
  };
}

/**
 * Gives each request an ID, and each response the ID, the security headers, and, for the API, the
 * headers that let pages of the allowed origins read it. One middleware, because separate ones,
 * which change the response after the handler created it, took a quarter of the CPU time of a small
 * response. {@link sendWithCommonHeaders} writes all headers at once; other responses must have
 * mutable headers, unlike those of `fetch` and `Response.redirect`.
 */
export function createCommonHeadersMiddleware(
  isAllowedOrigin: (origin: string) => boolean,
): MiddlewareHandler<RouteEnv> {
  const answerPreflight = cors({
    origin: (origin) => (isAllowedOrigin(origin) ? origin : null),
    allowMethods: ['GET', 'POST'],
    allowHeaders: ['Content-Type', 'Idempotency-Key', 'If-None-Match', SOLUTION_HEADER],
    exposeHeaders: EXPOSED_HEADERS,
    maxAge: 600,
  });
  const exposedHeaders = EXPOSED_HEADERS.join(',');
  return async (c, next) => {
    const requestId = crypto.randomUUID();
    c.set('requestId', requestId);
    const isCrossOrigin = CROSS_ORIGIN_PATHS.has(c.req.path.split('/', 2)[1]!);
    const isPreflight = isCrossOrigin && c.req.method === 'OPTIONS';
    const origin = c.req.header('Origin');
    const common = {
      ...SECURITY_HEADERS,
      'X-Request-Id': requestId,
      ...(isCrossOrigin &&
        !isPreflight && {
          ...(origin !== undefined &&
            isAllowedOrigin(origin) && { 'Access-Control-Allow-Origin': origin }),
          'Access-Control-Expose-Headers': exposedHeaders,
        }),
    };
    const vary = isCrossOrigin && !isPreflight ? 'Origin' : undefined;
    c.set('commonHeaders', { headers: common, vary });
    if (isPreflight) c.res = (await answerPreflight(c, next)) as Response;
    else await next();
    if (c.res === c.get('completeResponse')) return;
    const { headers } = c.res;
    addMissingHeaders(headers, common);
    if (vary !== undefined) headers.append('Vary', vary);
  };
}
