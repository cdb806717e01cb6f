import { cors } from 'hono/cors';
import { requestId } from 'hono/request-id';
import type { Logger } from '../lib/logger.ts';
import { countryRoutes } from './routes/countries.ts';
import type { FormRegistry } from '../donations/form-registry.ts';
import type { GoalFigures } from '../reporting/goal-totals.ts';
import type { FraudProtection } from '../fraud-protection/fraud-protection.ts';
import type { DonationRepository } from '../donations/donation-repository.ts';
import { endpointPages } from './routes/pages.ts';
import type { WebhookReceiver } from '../webhooks/inbound/receiver.ts';
import { Problem } from '../lib/problem.ts';
import { SOLUTION_HEADER, challengeRoutes } from './routes/challenge.ts';
import { donationRoutes } from './routes/donations.ts';
import { formRoutes } from './routes/form.ts';
import { goalRoutes } from './routes/goal.ts';
import { platformWebhookRoutes } from './routes/platform-webhooks.ts';
import { providerRoutes } from './routes/payment-webhooks.ts';
import { newRoutes, allowOnlyMethods, type Connection, type RouteContext } from './context.ts';
import { scriptRoutes } from './routes/scripts.ts';
import { securityHeaders } from './security-headers.ts';
import type { ScriptFiles } from './embed-assets.ts';
import type { AssetArchive } from './asset-archive.ts';
import type { IgnoredSettingStats } from '../reporting/ignored-setting-stats.ts';
import { describeError } from '../lib/describe-error.ts';
import { watchRequests, type WatchedRequestsOptions } from './request-log.ts';

export interface HandlerOptions {
  readonly formRegistry: FormRegistry;
  readonly repository: DonationRepository;
  readonly ignoredSettings: IgnoredSettingStats;
  readonly platformWebhooks: WebhookReceiver;
  readonly guard: FraudProtection;
  readonly figures: GoalFigures;
  readonly metrics: WatchedRequestsOptions['metrics'];
  readonly scripts: ScriptFiles;
  readonly assetArchive: AssetArchive;
  readonly log: Logger;
  readonly now: () => number;
}

/** Answers a request as a server of the fetch interface does. */
export type Handler = (request: Request, connection?: Connection) => Response | Promise<Response>;

/** The donation endpoint: everything that a browser may ask of it. */
export function createApp(options: HandlerOptions): Handler {
  const { formRegistry, scripts, log } = options;
  const app = newRoutes();
  const refuse = (problem: Problem, c: RouteContext): Response => {
    c.set('problem', problem.code);
    return problem.toResponse(c.get('requestId'));
  };
  app.use(requestId({ headerName: '', generator: () => crypto.randomUUID() }));
  app.use(watchRequests(options));
  app.use(async (c, next) => {
    await next();
    c.res.headers.set('X-Request-Id', c.get('requestId'));
  });
  app.use(securityHeaders());
  const crossOrigin = cors({
    origin: (origin) => (formRegistry.origins.has(origin) ? origin : null),
    allowMethods: ['GET', 'POST'],
    allowHeaders: ['Content-Type', 'Idempotency-Key', 'If-None-Match', SOLUTION_HEADER],
    exposeHeaders: ['ETag', 'X-Request-Id', 'Retry-After'],
    maxAge: 600,
  });
  for (const path of [
    '/form',
    '/goal',
    '/donations/*',
    '/ignored-settings',
    '/countries/*',
    '/challenge',
  ])
    app.use(path, crossOrigin);

  app.get('/healthz', (c) => c.text('ok'));
  app.route('/', scriptRoutes(options));
  app.route('/', endpointPages({ formRegistry, files: scripts }));
  app.route('/', countryRoutes());
  app.route('/', formRoutes(options));
  app.route('/', goalRoutes(options));
  app.route('/', challengeRoutes(options));
  app.route('/', donationRoutes(options));
  app.route('/', providerRoutes(options));
  app.route('/', platformWebhookRoutes(options));
  allowOnlyMethods(app, '/healthz', '/links', '/countries', '/countries/:code');

  app.notFound((c) => refuse(new Problem('not-found', 'There is nothing at this address.'), c));
  app.onError((error, c) => {
    if (error instanceof Problem && error.cause === undefined) return refuse(error, c);
    log.error({ request: c.get('requestId'), ...describeError(error) }, 'a request failed');
    return refuse(
      error instanceof Problem
        ? error
        : new Problem(
            'internal-error',
            'The server failed. Nothing that was sent is lost: send it again with the same Idempotency-Key.',
          ),
      c,
    );
  });
  return (request, connection = {}) => app.fetch(request, connection);
}
