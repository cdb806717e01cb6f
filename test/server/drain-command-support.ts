import type { ChildProcess } from 'node:child_process';
import type { Endpoint } from '../../src/server/create-endpoint.ts';
import { runCommand, type Clock, type Ended } from './command-support.ts';
import { KEYS, type Site } from './site.ts';

/** Runs the built command. */
export function drain(
  { config }: Site,
  {
    words = [],
    environment = {},
    ...options
  }: {
    readonly words?: readonly string[];
    readonly environment?: NodeJS.ProcessEnv;
    readonly clock?: Clock;
    readonly onStart?: (child: ChildProcess) => void;
  } = {},
): Promise<Ended> {
  return runCommand(['drain', '--config', config, ...words], {
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
