import { Hono } from 'hono';
import { PROBLEMS } from '@donation-form/core/schemas';
import type { Logger } from '../lib/logger.ts';
import type { Handler } from '../http/create-app.ts';
import type { WebhookReceiver } from '../webhooks/inbound/receiver.ts';
import { Problem } from '../lib/problem.ts';
import type { Connection } from '../http/context.ts';
import { describeError } from '../lib/describe-error.ts';
import { securityHeaders } from '../http/security-headers.ts';
import type { WebhookDispatcher } from '../webhooks/outbound/dispatcher.ts';
import type { IgnoredSettingStats } from '../reporting/ignored-setting-stats.ts';
import { Access, keyByPublicName, operatorsOnly } from './access.ts';
import { byHandRoutes } from './review-queue.ts';
import { giftRoutes } from './donation-actions.ts';
import { organizationRoutes } from './organizations.ts';
import { operatorPage, type PageOptions } from './pages/admin-pages.ts';
import { platformWebhookReports } from './inbound-webhooks.ts';
import { recordRoutes } from './reports.ts';
import { reportRoutes } from './settings-reports.ts';
import { siteWebhookRoutes } from './outbound-webhooks.ts';
import { watchRoutes, type WatchOptions } from './health.ts';

export interface OperatorOptions extends Omit<PageOptions, 'access'>, WatchOptions {
  readonly ignoredSettings: IgnoredSettingStats;
  readonly platformWebhooks: WebhookReceiver;
  readonly siteWebhooks: WebhookDispatcher;
  /** What the operator shows to see donors' data or to change something. */
  readonly key: string | undefined;
  readonly log: Logger;
}

/** What is open to whoever reaches the listener: nothing of it names a donor or a gift. */
const OPEN = ['/metrics', '/readyz', '/ignored-settings'];
/**
 * What commands ask, with the operator's key. All other addresses are the page's, and ask for a
 * session.
 */
const COMMANDS = ['/api/*', '/events/*', '/platform-webhooks/*', '/site-webhooks/*', '/records/*'];

/** What the operator may ask, on a listener that the public does not reach. */
export function createOperatorHandler(options: OperatorOptions): Handler {
  const { key, log, now } = options;
  const access = key === undefined ? undefined : new Access({ key, log, now });
  const app = new Hono<{ Bindings: Connection }>();
  app.use(securityHeaders());
  app.use(async (c, next) => {
    await next();
    c.res.headers.set('Cache-Control', 'no-store');
  });
  for (const path of OPEN) app.use(path, keyByPublicName(access));
  app.route('/', reportRoutes(options));
  app.route('/', watchRoutes(options));
  for (const path of COMMANDS) app.use(path, operatorsOnly(access));
  app.route('/', byHandRoutes(options));
  app.route('/', platformWebhookReports(options));
  app.route('/', siteWebhookRoutes(options));
  app.route('/', giftRoutes(options));
  app.route('/', organizationRoutes(options));
  app.route('/records', recordRoutes(options));
  for (const path of COMMANDS) app.all(path, (c) => c.notFound());
  app.route('/', operatorPage({ ...options, access }));
  app.notFound((c) =>
    c.json(
      {
        message:
          "There is nothing at this address. / is the operator's page; GET /readyz says whether the server can take gifts, GET /metrics tells Prometheus; docs/operator.md names the commands.",
      },
      404,
    ),
  );
  app.onError((error, c) => {
    if (error instanceof Problem) return c.json({ message: error.message }, PROBLEMS[error.code]);
    log.error(describeError(error), 'a request of the operator failed');
    return c.json(
      {
        message:
          'The server failed; its log says where. What you asked for may have been done: look at the gift before you try again.',
      },
      500,
    );
  });
  return (request, connection = {}) => app.fetch(request, connection);
}
