import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { AppOptions, RouteContext, RouteEnv } from './context.ts';

/** The log contains no data from the client except the method. */
export function createRequestLogMiddleware({
  metrics,
  log,
  now,
}: AppOptions): MiddlewareHandler<RouteEnv> {
  return async (c, next) => {
    const startedAt = now();
    await next();
    const { method } = c.req;
    const { status } = c.res;
    const route = c.get('route') ?? getRoutePattern(c);
    const milliseconds = now() - startedAt;
    const problem = c.get('problem');
    metrics.recordRequest({ method, route, status, milliseconds });
    if (problem === 'challenge-required' || problem === 'too-many-requests')
      metrics.recordRejection(problem);
    // A wrong webhook secret goes unnoticed otherwise.
    const level = problem === 'invalid-signature' ? 'warn' : 'info';
    log[level]({
      request: c.get('requestId'),
      method,
      route,
      status,
      milliseconds,
      organization: c.get('organization'),
      problem,
      reference: c.get('reference'),
    });
  };
}

/**
 * Returns the route pattern without regular expressions, such as `/countries/:code`, or `unknown`.
 */
function getRoutePattern(c: RouteContext): string {
  const pattern = matchedRoutes(c).findLast(({ path }) => !path.includes('*'))?.path;
  return pattern?.replace(/\{[^{}]*\}/g, '') ?? 'unknown';
}
