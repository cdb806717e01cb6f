import type { Logger } from 'pino';
import type { Configuration } from '../contract/configuration.ts';
import { Budget } from './budget.ts';
import { openOrganizations, readSecret, type Environment } from './configuration.ts';
import { ConfigurationError } from './configuration-error.ts';
import { Desks } from './desks.ts';
import { Guard } from './guard/guard.ts';
import { createHandler, type Handler } from './handler.ts';
import { Journal } from './journal.ts';
import { createOperatorHandler } from './operator/handler.ts';
import type { Organization } from './organization.ts';
import { PlatformWebhooks } from './platform-webhooks/platform-webhooks.ts';
import { plainLog } from './plain-log.ts';
import { builtScripts } from './script.ts';
import { ScriptShelf } from './script-shelf.ts';
import { openStore } from './store.ts';
import { Tally } from './tally.ts';

export interface EndpointOptions {
  readonly configuration: Configuration;
  /** Where the keys are that the configuration names, and `DATABASE_URL`. */
  readonly environment: Environment;
  readonly log?: Logger;
}

/** The endpoint without a listener: for a server of one's own. */
export interface Endpoint {
  /** Answers what the public may ask. */
  readonly fetch: Handler;
  /** Answers what the operator may ask: the public must not reach it. */
  readonly operator: Handler;
  /** Goes on with what an earlier run left unfinished, and from now on with what is due. */
  readonly start: () => void;
  /** Takes the organisations, their keys and forms as a configuration has them now. @throws {ConfigurationError}, and goes on as before. */
  readonly use: (configuration: Configuration) => Promise<void>;
  /** Ends after the calls that are under way, and closes the store. */
  readonly close: () => Promise<void>;
}

/** Opens the store and everything that works on it. @throws {ConfigurationError} */
export async function openEndpoint({ configuration, environment, log = plainLog() }: EndpointOptions): Promise<Endpoint> {
  const key = configuration.operator?.key && readSecret(configuration.operator.key, 'operator.key', environment);
  const store = await openStore({ file: configuration.store, url: environment.DATABASE_URL }).catch((cause: unknown) => { throw new ConfigurationError((cause as Error).message, { cause }); });
  const now = Date.now, journal = new Journal(store), tally = new Tally({ store, log, now });
  const open = (given: Configuration): Promise<Organization[]> => openOrganizations(given, { environment, budgetOf: ({ id, budget }) => new Budget({ store, organization: id, limit: budget, now }) });
  const organizations = await open(configuration).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const guard = new Guard({ store, trustedProxies: configuration.listen.trustedProxies, log, now });
  const desks = new Desks(organizations, { journal, log, now });
  const platformWebhooks = new PlatformWebhooks({ store, desks, log, now });
  const scripts = builtScripts(), shelf = new ScriptShelf({ store, scripts, log, now });
  await shelf.start();
  return {
    fetch: createHandler({ desks, journal, tally, guard, platformWebhooks, scripts, shelf, log, now }),
    operator: createOperatorHandler({ desks, tally, journal, platformWebhooks, store, scripts, key, log, now }),
    start: () => {
      desks.start();
      platformWebhooks.start();
    },
    use: async (given) => { desks.use(await open(given)); },
    close: async () => {
      shelf.stop();
      await Promise.all([desks.stop(), platformWebhooks.stop()]);
      guard.stop();
      await tally.flush();
      await store.close();
    },
  };
}
