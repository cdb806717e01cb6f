import { Readable } from 'node:stream';
import { type Context, Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { PROBLEMS } from '@donation-form/core/schemas';
import { isDatabaseError } from '../database/database-error.ts';
import { createSecurityHeadersMiddleware } from '../http/common-headers.ts';
import type { Handler } from '../http/create-app.ts';
import { describeError } from '../lib/describe-error.ts';
import type { Logger } from '../lib/logger.ts';
import { Problem } from '../lib/problem.ts';
import type { Permission } from '../staff/roles.ts';
import { createActorContext } from './access/actor-context.ts';
import {
  type AdminEnv,
  AdminKeyVerifier,
  requireCredentials,
  requireCredentialsForPublicHosts,
} from './access/admin-key.ts';
import { createClientMiddleware } from './access/client.ts';
import { ActionError } from './actions/action-error.ts';
import { ACTION_ROUTES, type ActionName, type ActionRoute } from './actions/action-routes.ts';
import { performAction } from './actions/staff-actions.ts';
import type { AdminContext } from './admin-context.ts';
import { createAdminPages } from './pages/admin-pages.ts';

/** Paths that require no credentials on private hosts. Their responses contain no donor data. */
const OPEN_PATHS = ['/metrics', '/readyz', '/settings-report'];
/** API paths, which require a token or the admin key. All other paths are pages, which require a session. */
const API_PATH = '/api/*';

/** Creates the admin listener's handler. The listener must not be reachable from the internet. */
export function createAdminApp(context: AdminContext): Handler {
  const app = createAdminRoutes(context);
  return (request, connection = {}) => app.fetch(request, connection);
}

export function createAdminRoutes(context: AdminContext): Hono<AdminEnv> {
  const { key, log } = context;
  const verifier = key === undefined ? undefined : new AdminKeyVerifier(key, context);
  const app = new Hono<AdminEnv>();
  app.use(createClientMiddleware(context.configuration()));
  app.use(createSecurityHeadersMiddleware());
  app.use(async (c, next) => {
    await next();
    c.res.headers.set('Cache-Control', 'no-store');
  });
  for (const path of OPEN_PATHS) app.use(path, requireCredentialsForPublicHosts(verifier, context));
  app.use(API_PATH, requireCredentials(verifier, context));
  app.get('/metrics', requirePermission('server:monitor'), async (c) => {
    const { contentType, text } = await context.scrape();
    return c.body(text, 200, { 'Content-Type': contentType });
  });
  app.get('/readyz', requirePermission('server:monitor'), async (c) => {
    const report = await context.readiness.checkReadiness();
    return c.json(report, report.ready ? 200 : 503);
  });
  app.route('/', createActionRoutes(context));
  app.all(API_PATH, (c) => c.notFound());
  app.route('/', createAdminPages(context, verifier));
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
  return app;

  function requirePermission(permission: Permission) {
    return createMiddleware<AdminEnv>((c, next) => {
      createActorContext(context, c.get('actor'), permission);
      return next();
    });
  }
}

/** Creates the admin API: one route for each action. Long outputs are streams of JSON Lines. */
function createActionRoutes(context: AdminContext): Hono<AdminEnv> {
  const app = new Hono<AdminEnv>();
  for (const [name, { method, path }] of Object.entries<ActionRoute>(ACTION_ROUTES))
    app.on(method, path, async (c) => {
      const fields = method === 'GET' ? c.req.query() : await readBody(c);
      const input = { ...fields, ...c.req.param() };
      const output: object = await performAction(
        name as ActionName,
        input,
        c.get('actor'),
        context,
      );
      return Symbol.asyncIterator in output
        ? streamJsonLines(output as AsyncIterable<object>, context.log)
        : c.json(output);
    });
  return app;
}

async function readBody(c: Context): Promise<object> {
  const text = await c.req.text();
  if (text === '') return {};
  try {
    return JSON.parse(text) as object;
  } catch (cause) {
    throw new ActionError(400, 'the request body: expected a JSON object', { cause });
  }
}

/**
 * Streams objects as JSON Lines. If an error ends the stream, the last line has the kind `aborted`.
 */
function streamJsonLines(lines: AsyncIterable<object>, log: Logger): Response {
  const encodeLines = async function* encodeLines(): AsyncGenerator<Uint8Array> {
    const encoder = new TextEncoder();
    try {
      for await (const line of lines) yield encoder.encode(`${JSON.stringify(line)}\n`);
    } catch (error) {
      log.error(describeError(error), 'report aborted');
      yield encoder.encode(`${JSON.stringify({ kind: 'aborted' })}\n`);
    }
  };
  return new Response(Readable.toWeb(Readable.from(encodeLines())) as ReadableStream, {
    headers: { 'Content-Type': 'application/x-ndjson' },
  });
}
