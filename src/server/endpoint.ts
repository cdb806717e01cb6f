import type { JobRunSummary, RunDueJobsOptions } from './background-jobs.ts';
import type { LoadedConfiguration } from './config/load-configuration.ts';
import type { Environment } from './config/read-secrets.ts';
import type { Handler } from './http/create-app.ts';
import type { Logger } from './lib/logger.ts';

/** Options for `createEndpoint`. */
export interface EndpointOptions {
  /** Configuration that {@link loadConfiguration} returned. */
  readonly configuration: LoadedConfiguration;
  /**
   * Environment variables: `DATABASE_URL`, `LOG_LEVEL`, `LOG_FORMAT`, and the variables that hold
   * the secrets named in the configuration.
   */
  readonly environment: Environment;
  /** Logger. By default, logs to standard output at `LOG_LEVEL`, in `LOG_FORMAT`. */
  readonly log?: Logger;
  /** Maximum time to wait for PostgreSQL to accept connections, in milliseconds. Default: 0. */
  readonly databaseTimeout?: number;
}

/** A donation server without a listener, for use in your own server. */
export interface Endpoint {
  /** Handles public requests. */
  readonly fetch: Handler;
  /** Handles admin requests. Must not be reachable from the internet. */
  readonly admin: Handler;
  /**
   * Resumes unfinished work and starts the background jobs. If background jobs are off, as on a
   * serverless platform, only logs the start. In that case, call {@link runJobs} instead.
   * @param listeners URLs of the endpoint, to include in the log.
   */
  readonly start: (listeners?: readonly string[]) => void;
  /**
   * Runs due background jobs until no job is left, the platform asks us to back off, or the time
   * limit is reached.
   * @throws {Error} if the database does not respond.
   */
  readonly runJobs: (options?: RunDueJobsOptions) => Promise<JobRunSummary>;
  /**
   * Replaces the organizations, including their keys and forms, with those in a new configuration.
   * @throws {ConfigurationError} if the new configuration is invalid. The current configuration
   *   then remains in use.
   */
  readonly reconfigure: (configuration: LoadedConfiguration) => Promise<void>;
  /**
   * Makes `/readyz` report that the server is shutting down. The server still handles requests.
   * @param reason reason to log, such as the name of a signal.
   */
  readonly markNotReady: (reason?: string) => void;
  /** Stops the background jobs and then closes the database. */
  readonly close: () => Promise<void>;
}
