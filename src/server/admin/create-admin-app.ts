import { Hono } from 'hono';
import { PROBLEMS } from '@donation-form/core/schemas';
import { isDatabaseError } from '../database/database-error.ts';
import type { Connection } from '../http/context.ts';
import type { Handler } from '../http/create-app.ts';
import { createSecurityHeadersMiddleware } from '../http/security-headers.ts';
import { describeError } from '../lib/describe-error.ts';
import { Problem } from '../lib/problem.ts';
import {
  AdminKeyVerifier,
  requireAdminKey,
  requireAdminKeyForPublicHosts,
} from './access/admin-key.ts';
import { createActionRoutes } from './actions/action-api.ts';
import { ActionError } from './actions/staff-action.ts';
import { createStaffActions } from './actions/staff-actions.ts';
import { createHealthRoutes, type HealthOptions } from './health.ts';
import { type AdminPagesOptions, createAdminPages } from './pages/admin-pages.ts';

export type AdminOptions = Omit<AdminPagesOptions, 'verifier' | 'actions'> & HealthOptions;

/**
 * Paths that do not require the admin key on private hosts. Their responses contain no donor data.
 */
const OPEN_PATHS = ['/metrics', '/readyz', '/settings-report'];
/** API paths, which require the admin key. All other paths are pages, which require a session. */
const API_PATH = '/api/*';

/**
 * Creates the request handler of the admin listener. The listener must not be reachable from the
 * internet.
 */
export function createAdminApp(options: AdminOptions): Handler {
  const { key, log, now } = options;
  const verifier = key === undefined ? undefined : new AdminKeyVerifier({ key, log, now });
  const actions = createStaffActions(options);
  const app = new Hono<{ Bindings: Connection }>();
  app.use(createSecurityHeadersMiddleware());
  app.use(async (c, next) => {
    await next();
    c.res.headers.set('Cache-Control', 'no-store');
  });
  for (const path of OPEN_PATHS) app.use(path, requireAdminKeyForPublicHosts(verifier));
  app.use(API_PATH, requireAdminKey(verifier));
  app.route('/', createHealthRoutes(options));
  app.route('/', createActionRoutes(actions, log));
  app.all(API_PATH, (c) => c.notFound());
  app.route('/', createAdminPages({ ...options, actions, verifier }));
  app.notFound((c) =>
    c.json(
      {
        message:
          'This path does not exist. The admin pages are at /, the readiness check at /readyz, and ' +
          'Prometheus metrics at /metrics.',
      },
      404,
    ),
  );
  app.onError((error, c) => {
    if (error instanceof Problem) return c.json({ message: error.message }, PROBLEMS[error.code]);
    if (error instanceof ActionError) return c.json({ message: error.message }, error.status);
    log.error(describeError(error), 'admin request failed');
    const hint =
      c.req.method === 'GET'
        ? ''
        : ' Your change may have been saved, so check the current state before you try again.';
    if (isDatabaseError(error))
      return c.json(
        {
          message:
            'The database is not responding (see DonationFormDatabaseDown in ' +
            `docs/server/runbook.md).${hint}`,
        },
        503,
        { 'Retry-After': '5' },
      );
    return c.json({ message: `An unexpected error occurred (see the server log).${hint}` }, 500);
  });
  return (request, connection = {}) => app.fetch(request, connection);
}
