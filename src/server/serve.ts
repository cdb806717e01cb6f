import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pino, type Logger } from 'pino';
import type { Configuration } from '../contract/configuration.ts';
import { openOrganizations, type Environment } from './configuration.ts';
import { openDatabase } from './database.ts';
import { createHandler } from './handler.ts';
import { Journal } from './journal.ts';
import { builtScripts } from './script.ts';

export interface Listening {
  /** Such as `http://127.0.0.1:4101`. */
  readonly address: string;
  /** Takes no more requests, lets those that are under way end, and releases the port. */
  readonly close: () => Promise<void>;
}

export interface ServeOptions {
  readonly configuration: Configuration;
  /** Where the keys are that the configuration names. */
  readonly environment: Environment;
  readonly log?: Logger;
}

/** Opens the store and listens. @throws {ConfigurationError}, or an error that says which port is in use. */
export async function serve({ configuration, environment, log = pino() }: ServeOptions): Promise<Listening> {
  const organizations = openOrganizations(configuration, environment);
  await mkdir(dirname(configuration.store), { recursive: true });
  const journal = new Journal(await openDatabase(configuration.store));
  const handler = createHandler({ organizations, journal, scripts: builtScripts(), log });
  const listening = await listen(handler.fetch, configuration.listen).catch(async (error: unknown) => {
    await journal.close();
    throw error;
  });
  handler.start();
  return {
    address: listening.address,
    close: async () => {
      await listening.close();
      await handler.stop();
      await journal.close();
    },
  };
}

/** Serves a fetch handler over HTTP. @throws where the port is in use, with what to do. */
export function listen(fetch: (request: Request) => Response | Promise<Response>, { host, port }: { readonly host: string; readonly port: number }): Promise<Listening> {
  const server = createAdaptorServer({ fetch });
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(cause.code === 'EADDRINUSE' ? new Error(`port ${port} of ${host} is in use; end what uses it or choose another port`, { cause }) : cause);
    });
    server.listen(port, host, () => {
      const { port: taken } = server.address() as AddressInfo;
      resolve({
        address: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
        close: () => new Promise<void>((closed) => {
          server.close(() => closed());
          if ('closeIdleConnections' in server) server.closeIdleConnections();
        }),
      });
    });
  });
}
