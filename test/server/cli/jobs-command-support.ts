import type { ChildProcess } from 'node:child_process';
import type { Endpoint } from '../../../src/server/endpoint.ts';
import { runCommand, type Clock, type CommandResult } from './support.ts';
import { KEYS, type TestEnvironment } from '../test-environment.ts';

/** Runs `donation-form jobs run` in a new process. */
export function runJobs(
  { config }: TestEnvironment,
  {
    args = [],
    environment = {},
    ...options
  }: {
    readonly args?: readonly string[];
    readonly environment?: NodeJS.ProcessEnv;
    readonly clock?: Clock;
    readonly onStart?: (child: ChildProcess) => void;
  } = {},
): Promise<CommandResult> {
  return runCommand(['jobs', 'run', '--config', config, ...args], {
    env: { ...KEYS, ...environment },
    ...options,
  });
}

export const createEndpointFetch =
  (endpoint: Endpoint): typeof fetch =>
  async (input, init) =>
    endpoint.fetch(new Request(input, init));
export const BASE_URL = 'https://give.example';
export const isGiftCreation = ({ method, url }: Request): boolean =>
  method === 'POST' && url.endsWith('/sandbox/gifts');
