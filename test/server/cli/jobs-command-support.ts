import type { ChildProcess } from 'node:child_process';
import type { Endpoint } from '../../../src/server/create-endpoint.ts';
import { runCommand, type Clock, type CommandResult } from './support.ts';
import { KEYS, type Site } from '../test-site.ts';

/** Runs `donation-form jobs run` in a new process. */
export function runJobs(
  { config }: Site,
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

export const throughEndpoint =
  (endpoint: Endpoint): typeof fetch =>
  async (input, init) =>
    endpoint.fetch(new Request(input, init));
export const ADDRESS = 'https://give.example';
export const isRecording = ({ method, url }: Request): boolean =>
  method === 'POST' && url.endsWith('/sandbox/gifts');
