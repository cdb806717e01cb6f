import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

export interface ManagedProcess {
  /** Returns its standard output and error so far. */
  readonly readOutput: () => string;
  /** Returns the resident memory in bytes. */
  readonly readMemory: () => number;
  /** Returns the CPU time in milliseconds. */
  readonly readCpuTime: () => number;
  /** Sends SIGKILL and waits for the exit. */
  readonly kill: () => Promise<void>;
  /** Sends SIGTERM and waits for the exit. */
  readonly terminate: () => Promise<void>;
}

/** Unit of the CPU times in /proc, in milliseconds. */
const CLOCK_TICK = 10;

export interface StartOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Folder for the file with its output. */
  readonly folder: string;
  /** Matches its output once it is ready. */
  readonly readyPattern: RegExp;
}

/** Starts a program and waits until it is ready. @throws if it exits before that. */
export async function startProcess(
  [program, ...args]: readonly [string, ...string[]],
  { env, folder, readyPattern }: StartOptions,
): Promise<ManagedProcess> {
  const output = join(folder, `${randomUUID()}.log`);
  const file = openSync(output, 'a');
  const child = spawn(program, args, { env, stdio: ['ignore', file, file] });
  closeSync(file);
  const readOutput = (): string => readFileSync(output, 'utf8');
  let startError: Error | undefined;
  child.once('error', (error) => {
    startError = error;
  });
  while (!readyPattern.test(readOutput())) {
    if (startError || child.exitCode !== null || child.signalCode !== null)
      throw new Error(
        `${program} ${args.join(' ')} exited: ${startError?.message ?? readOutput()}`,
      );
    await setTimeout(5);
  }
  const sendSignal = async (name: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(name);
    await once(child, 'exit');
  };
  const readProcFile = (name: string): string => readFileSync(`/proc/${child.pid}/${name}`, 'utf8');
  return {
    readOutput,
    readMemory: () => Number(/^VmRSS:\s+(\d+) kB/m.exec(readProcFile('status'))![1]) * 1_024,
    readCpuTime: () =>
      readProcFile('stat')
        .split(') ')[1]!
        .split(' ')
        .slice(11, 13)
        .reduce((sum, ticks) => sum + Number(ticks), 0) * CLOCK_TICK,
    kill: () => sendSignal('SIGKILL'),
    terminate: () => sendSignal('SIGTERM'),
  };
}
