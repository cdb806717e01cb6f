/**
 * Worker of `CommandThread`: receives the arguments of a command, runs the built command, and posts
 * its output.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parentPort } from 'node:worker_threads';
import type * as program from '../../../src/server/cli/program.ts';

const file = resolve('dist/donation-form-server/lib/shared/program.js');
const { runCommand } = (await import(pathToFileURL(file).href)) as typeof program;

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
