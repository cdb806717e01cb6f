import { Hono } from 'hono';
import type { Logger } from 'pino';
import { PROBLEMS } from '../../contract/problem.ts';
import type { Handler } from '../handler.ts';
import type { PlatformWebhooks } from '../platform-webhooks/platform-webhooks.ts';
import { Problem } from '../problem.ts';
import type { Connection } from '../routes/route.ts';
import { aboutError } from '../remote-error.ts';
import { safeHeaders } from '../safe-headers.ts';
import type { Tally } from '../tally.ts';
import { operatorsOnly } from './access.ts';
import { byHandRoutes } from './by-hand.ts';
import { giftRoutes } from './gifts.ts';
import { organizationRoutes } from './organizations.ts';
import { operatorPage, type PageOptions } from './page.ts';
import { platformWebhookReports } from './platform-webhooks.ts';
import { recordRoutes } from './records.ts';
import { reportRoutes } from './reports.ts';
import { watchRoutes, type WatchOptions } from './watch.ts';

export interface OperatorOptions extends PageOptions, WatchOptions {
  readonly tally: Tally;
  readonly platformWebhooks: PlatformWebhooks;
  /** What the operator shows to see donors' data or to change something. */
  readonly key: string | undefined;
  readonly log: Logger;
}

/** What the operator may ask, on a listener that the public does not reach. */
export function createOperatorHandler(options: OperatorOptions): Handler {
  const app = new Hono<{ Bindings: Connection }>();
  app.use(safeHeaders());
  app.use(async (c, next) => {
    await next();
    c.res.headers.set('Cache-Control', 'no-store');
  });
  app.route('/', reportRoutes(options));
  app.route('/', byHandRoutes(options));
  app.route('/', watchRoutes(options));
  app.route('/', platformWebhookReports(options));
  app.route('/', giftRoutes(options));
  app.route('/', organizationRoutes(options));
  app.use('/records/*', operatorsOnly(options.key));
  app.route('/records', recordRoutes(options));
  app.route('/', operatorPage(options));
  app.notFound((c) => c.json({ message: 'There is nothing at this address. / is the operator\'s page; GET /readyz says whether the server can take gifts, GET /metrics tells Prometheus; docs/operator.md names the commands.' }, 404));
  app.onError((error, c) => {
    if (error instanceof Problem) return c.json({ message: error.message }, PROBLEMS[error.code]);
    options.log.error(aboutError(error), 'a request of the operator failed');
    return c.json({ message: 'The server failed; its log says where. Nothing was changed.' }, 500);
  });
  return (request, connection = {}) => app.fetch(request, connection);
}
