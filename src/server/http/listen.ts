import { createServer, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as SocketServer, type Socket } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import type { Handler } from './create-app.ts';

/** An open HTTP listener. */
export interface HttpListener {
  /** Such as `http://127.0.0.1:4101`. */
  readonly url: string;
  /**
   * Stops accepting requests, waits up to five seconds for requests in progress, and releases the
   * port.
   */
  readonly close: () => Promise<void>;
}

/** Interval at which a closing listener checks its connections, in milliseconds. */
const CLOSE_INTERVAL = 10;
/**
 * Number of intervals for which a closing listener keeps idle connections open, so that it can
 * respond to arriving requests. A single timer is not enough: after a busy period, it could fire
 * before Node reads requests that have already arrived.
 */
const GRACE_INTERVALS = 10;
/** Maximum length of the kernel's queue of connections, which the system may lower. */
const BACKLOG = 511;
/** Maximum time to accept waiting connections and finish requests, in milliseconds. */
const CLOSE_TIMEOUT = 5_000;

/** In milliseconds. A slow client occupies a socket needlessly. */
const LIMITS = {
  /** In bytes. */
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  /** Interval at which Node checks `headersTimeout` and `requestTimeout`. */
  connectionsCheckingInterval: 1_000,
  /**
   * Exceeds the time for which proxies reuse idle connections, by default at most 60 seconds. If
   * the server closed one while a proxy was sending a donation, the donor would see an error.
   */
  keepAliveTimeout: 65_000,
} as const satisfies ServerOptions;

/** In milliseconds. */
const IDLE_TIMEOUT = 60_000;

/**
 * Serves a handler over HTTP.
 * @param options.port port to listen on, or 0 for any free port.
 * @throws {Error} if the port is in use or cannot be opened. The error message says what to do.
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
    // RFC 9112, section 3.2, forbids several Host headers, but Node's parser uses the first.
    if ((incoming.headersDistinct.host?.length ?? 0) <= 1) void respond(incoming, outgoing);
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
            : `Cannot open port ${port} on ${host}: ${cause.message}. Check the host and the port.`,
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

async function closeServer(
  server: Server,
  connections: ReturnType<typeof trackConnections>,
): Promise<void> {
  const deadline = performance.now() + CLOSE_TIMEOUT;
  await acceptWaitingConnections(server, deadline);
  const closed = new Promise<'closed'>((resolve) => {
    // The HTTP server's `close` would also close idle connections on which clients are sending
    // requests.
    SocketServer.prototype.close.call(server, () => resolve('closed'));
  });
  // Draining first would let clients whose connections close open new ones.
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
  // Stops Node's timer for request timeouts.
  server.close();
}

/**
 * Accepts the connections waiting in the kernel, which closing the listener would reset: one per
 * iteration of the event loop, until the deadline or {@link BACKLOG}, because clients might keep
 * opening new ones.
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

function trackConnections(server: Server) {
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
    /** Closes each connection after its current or next response. */
    drain: () => {
      isDraining = true;
      pendingResponses.forEach(closeAfter);
    },
    /** Closes connections without data, such as those that browsers open in advance. */
    closeUnused: () => {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    },
  };
}
