import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { openEndpoint, type Endpoint, type EndpointOptions } from './endpoint.ts';
import type { Handler } from './handler.ts';

export interface Listening {
  /** Such as `http://127.0.0.1:4101`. */
  readonly address: string;
  /** Takes no more requests, lets those that are under way end, and releases the port. */
  readonly close: () => Promise<void>;
}

/** How long requests that are under way may take to end, once the server is to close. */
const CLOSING_TIME = 5_000;

/** Opens the endpoint and listens. @throws {ConfigurationError}, or an error that says what is in use or cannot be opened. */
export async function serve(options: EndpointOptions): Promise<Listening & Pick<Endpoint, 'use'>> {
  const { configuration } = options, endpoint = await openEndpoint(options);
  const listeners: Listening[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(listeners.map((listener) => listener.close()));
    await endpoint.close();
  };
  try {
    listeners.push(await listen(endpoint.fetch, configuration.listen));
    if (configuration.operator) listeners.push(await listen(endpoint.operator, configuration.operator));
  } catch (error) {
    await close();
    throw error;
  }
  endpoint.start();
  return { address: listeners[0]!.address, close, use: endpoint.use };
}

/** Serves a fetch handler over HTTP. @throws where the port is in use, with what to do. */
export function listen(handler: Handler, { host, port }: { readonly host: string; readonly port: number }): Promise<Listening> {
  const server = createAdaptorServer({ fetch: (request, { incoming }) => handler(request, { address: incoming.socket.remoteAddress }) }) as Server;
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(new Error(cause.code === 'EADDRINUSE' ? `port ${port} of ${host} is in use; end what uses it or choose another port` : `${host}, port ${port}: cannot listen there: ${cause.message}`, { cause }));
    });
    server.listen(port, host, () => {
      const { port: taken } = server.address() as AddressInfo;
      resolve({
        address: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
        close: () => new Promise<void>((closed) => {
          const tooLong = setTimeout(() => server.closeAllConnections(), CLOSING_TIME), idle = setInterval(() => server.closeIdleConnections(), 50);
          server.close(() => {
            clearTimeout(tooLong);
            clearInterval(idle);
            closed();
          });
        }),
      });
    });
  });
}
