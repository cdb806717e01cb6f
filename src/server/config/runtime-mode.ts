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
} as const satisfies Readonly<Record<string, string>>;

export interface RuntimeMode {
  /**
   * True if this process runs background jobs. If false, `donation-form jobs run` must run the
   * jobs.
   */
  readonly hasBackgroundJobs: boolean;
  /** Serverless platform that stops or freezes this process between requests, if any. */
  readonly serverlessPlatform: string | undefined;
}

/**
 * Detects a serverless platform and determines whether this process runs background jobs.
 * @throws {ConfigurationError} if a serverless platform would delete the SQLite file.
 */
export function determineRuntimeMode(
  { backgroundJobs }: Pick<Configuration, 'backgroundJobs'>,
  environment: Environment,
): RuntimeMode {
  const variable = findServerlessVariable(environment);
  const serverlessPlatform = variable && SERVERLESS_PLATFORMS[variable];
  if (environment.DATABASE_URL === undefined && variable !== undefined)
    throw new ConfigurationError(
      `${serverlessPlatform}, detected by the ${variable} environment variable, deletes SQLite files ` +
        'when the process stops. Set DATABASE_URL to the URL of a PostgreSQL database.',
    );
  return { hasBackgroundJobs: backgroundJobs ?? variable === undefined, serverlessPlatform };
}

function findServerlessVariable(
  environment: Environment,
): keyof typeof SERVERLESS_PLATFORMS | undefined {
  const variables = Object.keys(SERVERLESS_PLATFORMS) as (keyof typeof SERVERLESS_PLATFORMS)[];
  return variables.find((variable) => environment[variable]);
}
