/** Worker of `CommandThread`: receives the arguments of a command and posts its output. */
import { parentPort } from 'node:worker_threads';
import { run } from '../../../src/server/cli/run.ts';

let output = { stdout: '', stderr: '' };
for (const name of ['stdout', 'stderr'] as const) {
  process[name]._write = (chunk, _encoding, done) => {
    output[name] += String(chunk);
    done();
  };
}

parentPort!.on('message', (args: string[]) => void runCommand(args));

async function runCommand(args: readonly string[]): Promise<void> {
  output = { stdout: '', stderr: '' };
  process.exitCode = 0;
  await run(args);
  parentPort!.postMessage({ status: process.exitCode, ...output });
}
