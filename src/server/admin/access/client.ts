import { createMiddleware } from 'hono/factory';
import type { LoadedConfiguration } from '../../config/load-configuration.ts';
import { getPublicAdminUrl } from '../../diagnostics/admin.ts';
import { type Client, resolveClient } from '../../fraud-protection/client-address.ts';
import type { Connection } from '../../http/context.ts';

export interface ClientEnv {
  Bindings: Connection;
  Variables: { client: Client };
}

/** Finds out who sent a request: the peer or, with an HTTPS URL, who connected to our proxy. */
export function createClientMiddleware(configuration: LoadedConfiguration) {
  const isBehindProxy = getPublicAdminUrl(configuration)?.startsWith('https:') ?? false;
  return createMiddleware<ClientEnv>((c, next) => {
    const forwarded = c.req.header('X-Forwarded-For');
    c.set('client', resolveClient(c.env.address, forwarded, isBehindProxy ? 1 : 0));
    return next();
  });
}

/** Returns the IP address, or the network of an IPv6 address, or an empty string. */
export function identifyClient({ address = '', network }: Client): string {
  return network ?? address;
}
