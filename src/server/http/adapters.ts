import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { mount } from 'hono/mount';
import type { Connection } from './context.ts';
import type { Handler } from './create-app.ts';

/**
 * Turns a handler into a request listener for `node:http`, Express, Fastify, and other frameworks
 * that use Node's request objects. No other code may have read the request's body.
 * @param getClientAddress function that returns the donor's IP address. Defaults to the
 *   connection's address. Behind a proxy, return the address that the framework reads from the
 *   proxy's headers.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http';
 * import { toNodeListener } from 'donation-form-server';
 *
 * const listener = toNodeListener(() => new Response('ok'));
 * const server = createServer((request, response) => void listener(request, response));
 * server.listen(0, '127.0.0.1', () => server.close());
 * ```
 */
export function toNodeListener<Incoming extends IncomingMessage>(
  handler: Handler,
  getClientAddress: (incoming: Incoming) => string | undefined = ({ socket }) =>
    socket.remoteAddress,
): (incoming: Incoming, outgoing: ServerResponse) => Promise<void> {
  return getRequestListener(
    (request, { incoming }) =>
      handler(toStandardRequest(request), { address: getClientAddress(incoming as Incoming) }),
    { overrideGlobalObjects: false },
  );
}

/**
 * Copies the adapter's lightweight request to a standard `Request`: `new Request(request)` would
 * need the adapter to replace the global `Request`, which it must not do in another application.
 */
function toStandardRequest({ url, method, headers, body, signal }: Request): Request {
  const init: RequestInit & { duplex: 'half' } = { method, headers, body, signal, duplex: 'half' };
  return new Request(url, init);
}

/**
 * Mounts a handler under a path of a larger site. Removes the path from the URLs that the handler
 * receives.
 * @param path path without a slash at the end, such as `/give`.
 *
 * @example
 * ```ts
 * import { mountAt } from 'donation-form-server';
 *
 * const handler = mountAt('/give', (request) => new Response(new URL(request.url).pathname));
 * const response = await handler(new Request('https://example.org/give/form'));
 * console.log(await response.text()); // /form
 * ```
 */
export function mountAt(path: `/${string}`, handler: Handler): Handler {
  const app = new Hono<{ Bindings: Connection }>();
  app.all(`${path}/*`, mount(handler, { optionHandler: (c) => c.env as Connection }));
  return (request, connection = {}) => app.fetch(request, connection);
}
