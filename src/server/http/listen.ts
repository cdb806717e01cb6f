import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { Server as SocketServer, type AddressInfo, type Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Handler } from './create-app.ts';

/** An open HTTP listener. */
export interface HttpListener {
  /** Such as `http://127.0.0.1:4101`. */
  readonly url: string;
  /**
   * Stops accepting requests, waits up to five seconds for those in progress, and releases the
   * port.
   */
  readonly close: () => Promise<void>;
}

/** Interval at which a closing listener checks its connections, in milliseconds. */
const CLOSE_INTERVAL = 10;
/**
 * Number of intervals for which idle connections stay open while the listener closes. A request
 * that arrives in the meantime gets its response before its connection is closed. A single timer
 * would not do: after a busy period, it could fire before the requests that have already arrived
 * are read.
 */
const GRACE_INTERVALS = 10;
/**
 * Maximum number of connections that wait in the kernel to be accepted, unless the system allows
 * fewer.
 */
const BACKLOG = 511;
/**
 * Milliseconds in which a closing listener must accept waiting connections and finish requests.
 */
const CLOSE_TIMEOUT = 5_000;

/**
 * Request limits. A donation is only a few kilobytes, so a slower client needlessly occupies a
 * socket. Times are in milliseconds.
 */
const LIMITS = {
  /** Bytes. */
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  /** Time from a request's first byte to its last. */
  requestTimeout: 15_000,
  /** Interval at which the two timeouts are checked. */
  connectionsCheckingInterval: 1_000,
  /**
   * Longer than proxies reuse connections, which is at most 60 seconds by default. If a connection
   * closed while a proxy was sending a donation, the donor would see an error.
   */
  keepAliveTimeout: 65_000,
} as const satisfies ServerOptions;

/** Time after which a connection without any traffic is closed, in milliseconds. */
const IDLE_TIMEOUT = 60_000;

/**
 * Serves a handler over HTTP.
 * @param options.port 0 for any free port.
 * @throws {Error} if the port is in use or the host has no such address, with what to do.
 *
 * @example
 * ```ts
 * import { listen } from 'donation-form-server';
 *
 * const listener = await listen(() => new Response('ok'), { host: '127.0.0.1', port: 0 });
 * const response = await fetch(listener.url);
 * console.log(await response.text()); // ok
 * await listener.close();
 * ```
 */
export function listen(
  handler: Handler,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<HttpListener> {
  const respond = getRequestListener(
    (request, { incoming }) => handler(request, { address: incoming.socket.remoteAddress }),
    // HTTP/1.0 does not require a Host header, and some proxies use HTTP/1.0 for health checks.
    { hostname: 'localhost' },
  );
  const server = createServer(LIMITS, (incoming, outgoing) => {
    if (hasSingleHostHeader(incoming)) void respond(incoming, outgoing);
    else outgoing.writeHead(400, { Connection: 'close' }).end();
  });
  server.setTimeout(IDLE_TIMEOUT);
  const connections = trackConnections(server);
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(
        new Error(
          cause.code === 'EADDRINUSE'
            ? `Port ${port} on ${host} is in use. Stop the program that uses it, or choose another port.`
            : `Cannot listen on ${host}, port ${port}: ${cause.message}`,
          { cause },
        ),
      );
    });
    server.listen({ port, host, backlog: BACKLOG }, () => {
      const { port: actualPort } = server.address() as AddressInfo;
      resolve({
        url: `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`,
        close: () => closeServer(server, connections),
      });
    });
  });
}

/**
 * Returns false if a request has several Host headers, which RFC 9112, 3.2 forbids. Node's parser
 * uses the first of them.
 */
function hasSingleHostHeader({ rawHeaders }: IncomingMessage): boolean {
  const names = rawHeaders.filter((_, index) => index % 2 === 0);
  return names.filter((name) => name.toLowerCase() === 'host').length <= 1;
}

async function closeServer(server: Server, connections: TrackedConnections): Promise<void> {
  const deadline = performance.now() + CLOSE_TIMEOUT;
  await acceptWaitingConnections(server, deadline);
  const closed = new Promise<'closed'>((resolve) => {
    // The HTTP server's own method would close idle connections at once, although clients may be
    // sending.
    SocketServer.prototype.close.call(server, () => resolve('closed'));
  });
  // After closing the listener, because a client whose connection is closed may open a new one.
  connections.drain();
  const waitForInterval = (): Promise<unknown> =>
    Promise.race([closed, setTimeout(CLOSE_INTERVAL)]);
  for (let interval = 1; (await waitForInterval()) !== 'closed'; interval += 1) {
    if (interval >= GRACE_INTERVALS) {
      connections.closeUnused();
      server.closeIdleConnections();
    }
    if (performance.now() >= deadline) server.closeAllConnections();
  }
  // Stops the timer that checks the timeouts.
  server.close();
}

/**
 * Accepts connections that are waiting in the kernel, because closing the listener would reset
 * them. Node accepts one in each turn of the event loop. Stops after {@link BACKLOG} connections,
 * because clients may open new ones all the time.
 */
async function acceptWaitingConnections(server: Server, deadline: number): Promise<void> {
  let acceptedCount = 0;
  const onConnection = (): void => {
    acceptedCount += 1;
  };
  server.on('connection', onConnection);
  let countBefore: number;
  do {
    countBefore = acceptedCount;
    await setImmediate();
    await setImmediate();
  } while (acceptedCount > countBefore && acceptedCount < BACKLOG && performance.now() < deadline);
  server.off('connection', onConnection);
}

interface TrackedConnections {
  /** From now on, closes each connection after its next response. */
  readonly drain: () => void;
  /** Closes connections that browsers opened in advance and never used. */
  readonly closeUnused: () => void;
}

function trackConnections(server: Server): TrackedConnections {
  const sockets = new Set<Socket>();
  const pendingResponses = new Set<ServerResponse>();
  let isDraining = false;
  const closeAfter = (response: ServerResponse): void => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  };
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.prependListener('request', (_request, response) => {
    if (isDraining) closeAfter(response);
    pendingResponses.add(response);
    response.once('close', () => pendingResponses.delete(response));
  });
  return {
    drain: () => {
      isDraining = true;
      pendingResponses.forEach(closeAfter);
    },
    closeUnused: () => {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    },
  };
}
