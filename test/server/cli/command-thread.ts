/** Worker of `CommandThread`: receives the arguments of a command and posts its output. */
import { parentPort } from 'node:worker_threads';
import { runCommand } from '../../../src/server/cli/program.ts';

let output = { stdout: '', stderr: '' };
for (const name of ['stdout', 'stderr'] as const) {
  process[name]._write = (chunk, _encoding, done) => {
    output[name] += String(chunk);
    done();
  };
}

parentPort!.on('message', (args: string[]) => void runAndPostOutput(args));

async function runAndPostOutput(args: readonly string[]): Promise<void> {
  output = { stdout: '', stderr: '' };
  process.exitCode = 0;
  await runCommand(args);
  parentPort!.postMessage({ status: process.exitCode, ...output });
}
