import { createServer, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Handler } from './create-app.ts';

/** A listener that is open. */
export interface Listening {
  /** Such as `http://127.0.0.1:4101`. */
  readonly address: string;
  /** Takes no more requests, lets those that are under way end, and releases the port. */
  readonly close: () => Promise<void>;
}

/**
 * How long requests that are under way may take to end, once the server is to close, in
 * milliseconds.
 */
const CLOSING_TIME = 5_000;

/**
 * What a client may take for a request. A donation is some kilobytes, so whoever is slower than
 * this holds sockets and gives nothing. Times are milliseconds.
 */
const LIMITS = {
  /** Bytes. */
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  /** From the first byte to the last. */
  requestTimeout: 15_000,
  /** How often these two are looked at. */
  connectionsCheckingInterval: 1_000,
  /**
   * Longer than proxies keep the connections that they use again, 60 s at most by default: one that
   * is closed while a gift is sent by it would be an error for the donor.
   */
  keepAliveTimeout: 65_000,
} as const satisfies ServerOptions;

/** How long a client may take nothing of its answer, in milliseconds. */
const SILENCE = 60_000;

/** Serves a fetch handler over HTTP. @throws where the port is in use, with what to do. */
export function listen(
  handler: Handler,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Listening> {
  // HTTP/1.0 needs no header Host: some proxies ask so whether the server is alive.
  const answer = getRequestListener(
    (request, { incoming }) => handler(request, { address: incoming.socket.remoteAddress }),
    { hostname: 'localhost' },
  );
  const server = createServer(LIMITS, (incoming, outgoing) => void answer(incoming, outgoing));
  server.setTimeout(SILENCE);
  const beginLastAnswers = lastAnswers(server);
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(
        new Error(
          cause.code === 'EADDRINUSE'
            ? `port ${port} of ${host} is in use; end what uses it or choose another port`
            : `${host}, port ${port}: cannot listen there: ${cause.message}`,
          { cause },
        ),
      );
    });
    server.listen(port, host, () => {
      const { port: taken } = server.address() as AddressInfo;
      resolve({
        address: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
        close: () =>
          new Promise<void>((closed) => {
            const tooLong = setTimeout(() => server.closeAllConnections(), CLOSING_TIME);
            const idle = setInterval(() => server.closeIdleConnections(), 50);
            server.close(() => {
              clearTimeout(tooLong);
              clearInterval(idle);
              closed();
            });
            beginLastAnswers();
          }),
      });
    });
  });
}

/**
 * @returns what makes every answer from then on the last one of its connection, tells the client
 *   so, and closes connections that nobody has used yet: browsers open some in advance.
 */
function lastAnswers(server: Server): () => void {
  const open = new Set<Socket>();
  const underWay = new Set<ServerResponse>();
  let isEnding = false;
  const end = (response: ServerResponse): void => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  };
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.prependListener('request', (_request, response) => {
    if (isEnding) end(response);
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
  });
  return () => {
    isEnding = true;
    underWay.forEach(end);
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  };
}
