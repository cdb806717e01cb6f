import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { mount } from 'hono/mount';
import type { Handler } from './create-app.ts';
import type { Connection } from './context.ts';

/**
 * A handler for a server of Node's own, or one that is made of such listeners (Express, Fastify).
 * The request's body must not have been read.
 * @param addressOf the donor's address: by whom the connection was opened, unless it says
 *   something else. Behind a proxy, ask your framework.
 */
export function toNodeListener<Incoming extends IncomingMessage>(
  handler: Handler,
  addressOf: (incoming: Incoming) => string | undefined = ({ socket }) => socket.remoteAddress,
): (incoming: Incoming, outgoing: ServerResponse) => Promise<void> {
  return getRequestListener(
    (request, { incoming }) =>
      handler(toStandardRequest(request), { address: addressOf(incoming as Incoming) }),
    { overrideGlobalObjects: false },
  );
}

/**
 * The adapter's requests are lightweight objects, which `new Request(request)` accepts only if the
 * adapter has replaced the global `Request`. In somebody else's server we leave that alone.
 */
function toStandardRequest({ url, method, headers, body, signal }: Request): Request {
  const init: RequestInit & { duplex: 'half' } = { method, headers, body, signal, duplex: 'half' };
  return new Request(url, init);
}

/**
 * A handler for addresses below a path of a larger site, such as `/give`, which the handler itself
 * does not know of.
 */
export function mountAt(path: `/${string}`, handler: Handler): Handler {
  const app = new Hono<{ Bindings: Connection }>();
  app.all(`${path}/*`, mount(handler, { optionHandler: (c) => c.env as Connection }));
  return (request, connection = {}) => app.fetch(request, connection);
}
