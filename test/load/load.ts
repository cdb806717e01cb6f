import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LoadOrder, LoadResult } from './load-generator.ts';

/** Donors in a process of their own. */
export interface Load {
  readonly send: (order: LoadOrder) => Promise<LoadResult>;
  readonly stop: () => void;
}

export function startLoad(): Load {
  const child = fork(fileURLToPath(new URL('load-generator.ts', import.meta.url)), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return {
    send: (order) =>
      new Promise((resolve, reject) => {
        const fail = (): void => reject(new Error('the load generator ended'));
        child.once('exit', fail).once('message', (result) => {
          child.off('exit', fail);
          resolve(result as LoadResult);
        });
        child.send(order);
      }),
    stop: () => {
      child.kill('SIGKILL');
    },
  };
}
