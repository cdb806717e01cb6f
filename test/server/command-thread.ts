/** Runs the commands of a `CommandThread`: a message is the words of one, its answer the end. */
import { parentPort } from 'node:worker_threads';
import { run } from '../../src/server/cli/run.ts';

let said = { stdout: '', stderr: '' };
for (const name of ['stdout', 'stderr'] as const) {
  process[name]._write = (piece, _encoding, done) => {
    said[name] += String(piece);
    done();
  };
}

parentPort!.on('message', (words: string[]) => void answer(words));

async function answer(words: readonly string[]): Promise<void> {
  said = { stdout: '', stderr: '' };
  const status = await run(words);
  parentPort!.postMessage({ status, ...said });
}
