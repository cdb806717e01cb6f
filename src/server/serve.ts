import { createEndpoint } from './create-endpoint.ts';
import type { Endpoint, EndpointOptions } from './endpoint.ts';
import { type HttpListener, listen } from './http/listen.ts';

/**
 * Default `databaseTimeout`, in milliseconds. Long enough for a database that starts at the same
 * time as the server.
 */
const DATABASE_TIMEOUT = 30_000;

/** A running server. */
export interface RunningServer extends HttpListener, Pick<Endpoint, 'reconfigure'> {
  /** Closes the server. @param reason reason to log, such as the name of a signal. */
  readonly close: (reason?: string) => Promise<void>;
}

/**
 * Starts a server with the configured listeners.
 * @throws {ConfigurationError} if the configuration is invalid or the database cannot be opened.
 * @throws {Error} if a port is in use.
 *
 * @example
 * ```ts
 * import { loadConfiguration, serve } from 'donation-form-server';
 *
 * const server = await serve({
 *   configuration: await loadConfiguration('donation-form.config.json'),
 *   environment: process.env,
 * });
 * const response = await fetch(`${server.url}/healthz`);
 * console.log(await response.text()); // ok
 * await server.close();
 * ```
 */
export async function serve(options: EndpointOptions): Promise<RunningServer> {
  const { configuration } = options;
  const endpoint = await createEndpoint({ databaseTimeout: DATABASE_TIMEOUT, ...options });
  const listeners: HttpListener[] = [];
  const close = async (reason?: string): Promise<void> => {
    endpoint.markNotReady(reason);
    // Closes the admin listener last, because it continues to report that the server is not ready.
    for (const listener of listeners) await listener.close();
    await endpoint.close();
  };
  try {
    listeners.push(await listen(endpoint.fetch, configuration.listen));
    if (configuration.admin) listeners.push(await listen(endpoint.admin, configuration.admin));
  } catch (error) {
    await close();
    throw error;
  }
  endpoint.start(listeners.map(({ url }) => url));
  return { url: listeners[0]!.url, close, reconfigure: endpoint.reconfigure };
}
