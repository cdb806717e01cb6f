import type { Configuration } from '@donation-form/core/schemas';
import type { Environment } from './load-configuration.ts';
import { ConfigurationError } from '../lib/configuration-error.ts';

/**
 * Places whose processes are stopped or frozen between requests, by the variables that they set.
 */
const PLACES = {
  AWS_LAMBDA_FUNCTION_NAME: 'AWS Lambda',
  VERCEL: 'Vercel',
  NETLIFY: 'Netlify',
  FUNCTIONS_WORKER_RUNTIME: 'Azure Functions',
  K_SERVICE: 'Cloud Run or Knative',
} as const satisfies Readonly<Record<string, string>>;

/**
 * Whether no process stays alive between requests, as the configuration says or the environment
 * shows.
 * @throws {ConfigurationError} where what is left unfinished there would never be done.
 */
export function endsBetweenRequests(
  { process, drain }: Pick<Configuration, 'process' | 'drain'>,
  environment: Environment,
): boolean {
  const why = findReason(process, environment);
  if (why === undefined) return false;
  if (drain !== 'scheduled')
    throw new ConfigurationError(
      `Where no process stays alive, a scheduled donation-form drain is needed, and ${why}. Let donation-form drain run every minute, or let a request of your own call endpoint.drain(), and say so in the configuration: "drain": "scheduled".`,
    );
  if (environment.DATABASE_URL === undefined)
    throw new ConfigurationError(
      `Where no process stays alive, an SQLite file is lost or in use, and ${why}. Set DATABASE_URL to a PostgreSQL.`,
    );
  return true;
}

/** Why no process stays alive, in words; `undefined` where one may. */
function findReason(
  process: Configuration['process'],
  environment: Environment,
): string | undefined {
  const found = Object.entries(PLACES).find(([variable]) => environment[variable]);
  if (found) return `${found[0]} is set, as it is on ${found[1]}`;
  return process === 'ends' ? 'the configuration has "process": "ends"' : undefined;
}
