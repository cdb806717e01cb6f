import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import { isDatabaseError } from '../database/database-error.ts';
import { describeError } from '../lib/describe-error.ts';
import { Problem } from '../lib/problem.ts';
import { createCommonHeadersMiddleware } from './common-headers.ts';
import {
  type AppOptions,
  type Connection,
  createRouter,
  rejectOtherMethods,
  type RouteContext,
  type RouteEnv,
  type Router,
} from './context.ts';
import { createCountryRoutes } from './routes/countries.ts';
import { addDonationPageRoutes } from './routes/donation-page.ts';
import { addDonationRoutes } from './routes/donations.ts';
import { addEmbeddedFormRoutes } from './routes/embedded-form.ts';
import { addFormRoutes } from './routes/form.ts';
import { addMailEventRoutes } from './routes/mail-events.ts';
import { createPageRoutes } from './routes/pages.ts';
import { addPaymentProviderRoutes } from './routes/payment-providers.ts';
import { addPlatformWebhookRoutes } from './routes/platform-webhooks.ts';
import { addScriptRoutes } from './routes/scripts.ts';

/** Handles a request, like the `fetch` function of a Deno, Bun, or Workers server. */
export type Handler = (request: Request, connection?: Connection) => Response | Promise<Response>;

export function createApp(options: AppOptions): Handler {
  const app = createRoutes(options);
  return (request, connection = {}) => app.fetch(request, connection);
}

export function createRoutes(options: AppOptions): Router {
  const { organizations, log } = options;
  const app = createRouter();
  const sendProblem = (problem: Problem, c: RouteContext): Response => {
    c.set('problem', problem.code);
    return problem.toResponse(c.get('requestId'));
  };
  app.use(createRequestLogMiddleware(options));
  app.use(createCommonHeadersMiddleware((origin) => organizations.origins.has(origin)));

  app.get('/healthz', (c) => c.text('ok'));
  addEmbeddedFormRoutes(app, options);
  app.route('/', createPageRoutes(options));
  app.route('/', createCountryRoutes());
  addFormRoutes(app, options);
  addDonationRoutes(app, options);
  addDonationPageRoutes(app, options);
  addPaymentProviderRoutes(app, options);
  addPlatformWebhookRoutes(app, options);
  addMailEventRoutes(app, options);
  rejectOtherMethods(app, '/', '/healthz', '/links', '/countries', '/countries/:code');
  addScriptRoutes(app, options);

  app.notFound((c) =>
    sendProblem(new Problem('not-found', 'This path does not exist. Check the URL.'), c),
  );
  app.onError((error, c) => {
    if (error instanceof Problem && error.cause === undefined) return sendProblem(error, c);
    log.error({ request: c.get('requestId'), ...describeError(error) }, 'request failed');
    return sendProblem(error instanceof Problem ? error : toProblem(error), c);
  });
  return app;
}

function toProblem(error: unknown): Problem {
  return isDatabaseError(error)
    ? new Problem(
        'unavailable',
        'The database is not responding. Try again later with the same Idempotency-Key to avoid ' +
          'charging the donor twice.',
      )
    : new Problem(
        'internal-error',
        'An unexpected error occurred. Try again with the same Idempotency-Key to avoid ' +
          'charging the donor twice.',
      );
}

/** The log contains no data from the client except the method. */
function createRequestLogMiddleware({
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
    const isSecretWrong = problem === 'invalid-signature' || problem === 'unauthorized';
    const level = isSecretWrong ? 'warn' : 'info';
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

/** Such as `/countries/:code`, without regular expressions. */
function getRoutePattern(c: RouteContext): string {
  const pattern = matchedRoutes(c).findLast(({ path }) => !path.includes('*'))?.path;
  return pattern?.replace(/\{[^{}]*\}/g, '') ?? 'unknown';
}
