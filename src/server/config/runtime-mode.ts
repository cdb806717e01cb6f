import type { Configuration } from '@donation-form/core/schemas';
import { ConfigurationError } from '../lib/configuration-error.ts';
import type { Environment } from './read-secrets.ts';

/** Serverless platforms, keyed by an environment variable that the platform sets. */
const SERVERLESS_PLATFORMS = {
  AWS_LAMBDA_FUNCTION_NAME: 'AWS Lambda',
  VERCEL: 'Vercel',
  NETLIFY: 'Netlify',
  FUNCTIONS_WORKER_RUNTIME: 'Azure Functions',
  K_SERVICE: 'Cloud Run or Knative',
};

/**
 * Without background jobs in this process, `donation-form jobs run` must run them.
 * @throws {ConfigurationError} if a serverless platform would delete the SQLite file.
 */
export function determineRuntimeMode(
  { backgroundJobs }: Pick<Configuration, 'backgroundJobs'>,
  environment: Environment,
) {
  const [variable, serverlessPlatform] =
    Object.entries(SERVERLESS_PLATFORMS).find(([name]) => environment[name]) ?? [];
  if (environment.DATABASE_URL === undefined && variable !== undefined)
    throw new ConfigurationError(
      `${serverlessPlatform}, detected by the ${variable} environment variable, deletes SQLite files ` +
        'when the process stops. Set DATABASE_URL to the URL of a PostgreSQL database.',
    );
  return { hasBackgroundJobs: backgroundJobs ?? variable === undefined, serverlessPlatform };
}
