import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { Logger } from '../lib/logger.ts';
import type { RouteContext, RouteEnv } from './context.ts';
import type { Metrics } from '../observability/metrics.ts';

export interface WatchedRequestsOptions {
  readonly metrics: Pick<Metrics, 'request' | 'refused'>;
  readonly log: Logger;
  readonly now: () => number;
}

/**
 * One log line and one count for each request, without anything that somebody sent but the method.
 */
export function watchRequests({
  metrics,
  log,
  now,
}: WatchedRequestsOptions): MiddlewareHandler<RouteEnv> {
  return async (c, next) => {
    const began = now();
    await next();
    const { method } = c.req;
    const { status } = c.res;
    const route = routeOf(c);
    const milliseconds = now() - began;
    const problem = c.get('problem');
    metrics.request({ method, route, status, milliseconds });
    if (problem === 'challenge-required' || problem === 'too-many-requests')
      metrics.refused(problem);
    log.info({
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
 * The pattern of a request's path, such as `/countries/:code`; `unknown` where nothing is there.
 * What a pattern says of a name's shape is left out.
 */
function routeOf(c: RouteContext): string {
  const pattern = matchedRoutes(c).findLast(({ path }) => !path.includes('*'))?.path;
  return pattern?.replace(/\{[^}]*\}/g, '') ?? 'unknown';
}
