import { Hono } from 'hono';
import type { Handler } from '../handler.ts';
import type { Journal } from '../journal.ts';
import type { PlatformWebhooks } from '../platform-webhooks/platform-webhooks.ts';
import { safeHeaders } from '../safe-headers.ts';
import type { Tally } from '../tally.ts';
import { byHandRoutes } from './by-hand.ts';
import { platformWebhookReports } from './platform-webhooks.ts';
import { reportRoutes } from './reports.ts';

export interface OperatorOptions {
  readonly journal: Journal;
  readonly tally: Tally;
  readonly platformWebhooks: PlatformWebhooks;
  /** What the operator shows to see donors' data or to change something. */
  readonly key: string | undefined;
}

/** What the operator may ask, on a listener that the public does not reach. */
export function createOperatorHandler(options: OperatorOptions): Handler {
  const app = new Hono();
  app.use(safeHeaders());
  app.use(async (c, next) => {
    await next();
    c.res.headers.set('Cache-Control', 'no-store');
  });
  app.route('/', reportRoutes(options));
  app.route('/', byHandRoutes(options));
  app.route('/', platformWebhookReports(options));
  app.notFound((c) => c.json({ message: 'There is nothing at this address. GET /ignored-settings says what forms ignored of their settings, GET /events/by-hand what is to be entered at the platform, GET /platform-webhooks what the platforms told.' }, 404));
  return (request) => app.fetch(request);
}
