import type { ChildProcess } from 'node:child_process';
import { KEYS, type TestEnvironment } from '../test-environment.ts';
import { type Clock, type CommandResult, runCommand } from './support.ts';

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

export const isGiftCreation = ({ method, url }: Request): boolean =>
  method === 'POST' && url.endsWith('/sandbox/gifts');
