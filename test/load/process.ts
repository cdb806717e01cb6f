/** Processes of their own, which are killed by their ids. */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

export interface OwnProcess {
  readonly pid: number;
  /** What it has written to its standard output and error. */
  readonly said: () => string;
  /** Resident memory, in bytes. */
  readonly memory: () => number;
  /** The processor's time that it took so far, in milliseconds. */
  readonly processorTime: () => number;
  /** Ends it as a power cut would. */
  readonly kill: () => Promise<void>;
  /** Asks it to end. @returns its exit code. */
  readonly end: () => Promise<number | null>;
}

/** One tick of /proc, in milliseconds. */
const TICK = 10;

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode === null && child.signalCode === null) child.once('exit', () => resolve());
    else resolve();
  });

export interface StartOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Where its output is kept. */
  readonly folder: string;
  /** What its output holds when it is ready. */
  readonly sign: RegExp;
}

/** Starts a program and waits until it is ready. @throws where it ends before. */
export async function start(
  [program, ...words]: readonly [string, ...string[]],
  { env, folder, sign }: StartOptions,
): Promise<OwnProcess> {
  const output = join(folder, `${randomUUID()}.log`);
  const file = openSync(output, 'a');
  const child = spawn(program, words, { env, stdio: ['ignore', file, file] });
  closeSync(file);
  const said = (): string => readFileSync(output, 'utf8');
  let problem: Error | undefined;
  child.once('error', (error) => {
    problem = error;
  });
  while (!sign.test(said())) {
    if (problem || child.exitCode !== null || child.signalCode !== null)
      throw new Error(`${program} ${words.join(' ')} ended: ${problem?.message ?? said()}`);
    await setTimeout(5);
  }
  const signal = async (name: NodeJS.Signals): Promise<void> => {
    const end = ended(child);
    child.kill(name);
    await end;
  };
  const about = (what: string): string => readFileSync(`/proc/${child.pid}/${what}`, 'utf8');
  return {
    pid: child.pid!,
    said,
    memory: () => Number(/^VmRSS:\s+(\d+) kB/m.exec(about('status'))![1]) * 1_024,
    processorTime: () =>
      about('stat')
        .split(') ')[1]!
        .split(' ')
        .slice(11, 13)
        .reduce((sum, ticks) => sum + Number(ticks), 0) * TICK,
    kill: () => signal('SIGKILL'),
    end: async () => {
      await signal('SIGTERM');
      return child.exitCode;
    },
  };
}
