import { Readable } from 'node:stream';
import { type Context, Hono } from 'hono';
import { describeError } from '../../lib/describe-error.ts';
import type { Logger } from '../../lib/logger.ts';
import { ACTION_ROUTES, type ActionName, type ActionRoute } from './action-routes.ts';
import { ActionError, performAction, type StaffAction } from './staff-action.ts';
import type { StaffActions } from './staff-actions.ts';

/** Creates the admin API: one route for each action. Long outputs are streams of JSON Lines. */
export function createActionRoutes(actions: StaffActions, log: Logger): Hono {
  const app = new Hono();
  for (const [name, { method, path }] of Object.entries<ActionRoute>(ACTION_ROUTES))
    app.on(method, path, async (c) => {
      const fields = method === 'GET' ? c.req.query() : await readBody(c);
      const action = actions[name as ActionName] as StaffAction;
      const output = (await performAction(action, { ...fields, ...c.req.param() })) as object;
      return Symbol.asyncIterator in output
        ? streamJsonLines(output as AsyncIterable<object>, log)
        : c.json(output);
    });
  return app;
}

/** Parses a request's body. An empty body has no fields. */
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
    headers: { 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' },
  });
}
