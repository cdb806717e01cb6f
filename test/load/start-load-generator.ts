import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LoadOptions, LoadResult } from './load-generator.ts';

/** A process that sends donations. */
export interface LoadGenerator {
  readonly send: (options: LoadOptions) => Promise<LoadResult>;
  readonly stop: () => void;
}

export function startLoadGenerator(): LoadGenerator {
  const child = fork(fileURLToPath(new URL('load-generator.ts', import.meta.url)), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // Otherwise the child would inherit the test runner's options and run tests.
    execArgv: [],
  });
  return {
    send: (options) =>
      new Promise((resolve, reject) => {
        const rejectOnExit = (): void => reject(new Error('the load generator exited'));
        child.once('exit', rejectOnExit).once('message', (result) => {
          child.off('exit', rejectOnExit);
          resolve(result as LoadResult);
        });
        child.send(options);
      }),
    stop: () => {
      child.kill('SIGKILL');
    },
  };
}
