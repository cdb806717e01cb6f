import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Kysely } from 'kysely';
import { pino, type Logger } from 'pino';
import type { Configuration } from '../contract/configuration.ts';
import { openOrganizations, type Environment } from './configuration.ts';
import { ConfigurationError } from './configuration-error.ts';
import { claimStore, openDatabase, type Tables } from './database.ts';
import { createHandler } from './handler.ts';
import { Journal } from './journal.ts';
import { createOperatorHandler } from './operator.ts';
import { builtScripts } from './script.ts';
import { Tally } from './tally.ts';

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

/** How long requests that are under way may take to end, once the server is to close. */
const CLOSING_TIME = 5_000;

/** Opens the store and listens. @throws {ConfigurationError}, or an error that says what is in use or cannot be opened. */
export async function serve({ configuration, environment, log = pino() }: ServeOptions): Promise<Listening> {
  const organizations = await openOrganizations(configuration, environment);
  const { db, release } = await openStore(configuration.store);
  const journal = new Journal(db), tally = new Tally({ db, log, now: Date.now });
  const handler = createHandler({ organizations, journal, tally, scripts: builtScripts(), log });
  const listeners: Listening[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(listeners.map((listener) => listener.close()));
    await handler.stop();
    await tally.flush();
    await journal.close();
    release();
  };
  try {
    listeners.push(await listen(handler.fetch, configuration.listen));
    if (configuration.operator) listeners.push(await listen(createOperatorHandler({ tally, journal }), configuration.operator));
  } catch (error) {
    await close();
    throw error;
  }
  handler.start();
  return { address: listeners[0]!.address, close };
}

/** @throws {ConfigurationError} where the file cannot be opened or another server has it. */
async function openStore(file: string): Promise<{ db: Kysely<Tables>; release: () => void }> {
  try {
    await mkdir(dirname(file), { recursive: true });
    const { release } = claimStore(file);
    return { db: await openDatabase(file), release };
  } catch (cause) {
    const { message } = cause as Error;
    throw new ConfigurationError(message.startsWith(file) ? message : `${file}: the store cannot be opened: ${message}`, { cause });
  }
}

/** Serves a fetch handler over HTTP. @throws where the port is in use, with what to do. */
export function listen(fetch: (request: Request) => Response | Promise<Response>, { host, port }: { readonly host: string; readonly port: number }): Promise<Listening> {
  const server = createAdaptorServer({ fetch }) as Server;
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
