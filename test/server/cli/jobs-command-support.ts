import type { ChildProcess } from 'node:child_process';
import { KEYS, type TestEnvironment } from '../test-environment.ts';
import { type Clock, type CommandResult, getCommandThread, runCommand } from './support.ts';

const thread = getCommandThread(KEYS);

/** Runs the jobs in a thread, which is faster than in a process. */
export const runJobs = (
  { config }: TestEnvironment,
  ...args: readonly string[]
): Promise<CommandResult> => thread.run('jobs', 'run', '--config', config, ...args);

export function runJobsInProcess(
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

export const isGiftCreation = ({ method, url }: Request): boolean =>
  method === 'POST' && url.endsWith('/sandbox/gifts');
