import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { after } from 'node:test';
import { Worker } from 'node:worker_threads';

/** The built command. */
const COMMAND = 'dist/donation-form-server/lib/cli.js';

type Environment = Readonly<Record<string, string | undefined>>;

const CLOCK = new URL('../load/scaled-clock.ts', import.meta.url).href;

/** A clock for a process. */
export interface Clock {
  /** Milliseconds by which it is ahead of the machine's. */
  readonly ahead?: number;
  /** How many times as fast as the machine's it is, timers included. */
  readonly speed?: number;
}

interface ProcessOptions {
  readonly env?: Environment;
  readonly clock?: Clock | undefined;
}

function spawnCommand(
  words: readonly string[],
  { env = {}, clock }: ProcessOptions,
  stdio: StdioOptions,
): ChildProcess {
  const now = Date.now();
  return clock === undefined
    ? spawn(process.execPath, [COMMAND, ...words], { env, stdio })
    : spawn(process.execPath, ['--import', CLOCK, COMMAND, ...words], {
        env: { ...env, LOAD_CLOCK: `${now},${now + (clock.ahead ?? 0)},${clock.speed ?? 1}` },
        stdio,
      });
}

/** A command that ended, and everything that it wrote. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command as a process of its own. */
export function runCommand(
  words: readonly string[],
  {
    onStart,
    ...options
  }: ProcessOptions & { readonly onStart?: (child: ChildProcess) => void } = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawnCommand(words, options, ['ignore', 'pipe', 'pipe']);
    let stdout = '';
    let stderr = '';
    child.stdout!.on('data', (piece) => {
      stdout += String(piece);
    });
    child.stderr!.on('data', (piece) => {
      stderr += String(piece);
    });
    child.on('close', (status) => resolve({ status, stdout, stderr }));
    onStart?.(child);
  });
}

export interface StartedCommand {
  readonly child: ChildProcess;
  /** Everything that it has written to its standard output. */
  readonly stdout: () => string;
  /** Sends a signal. Resolves with the exit code. */
  readonly end: (signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL') => Promise<number | null>;
}

/**
 * Starts the built command as a process of its own, which ends with the tests of the file at the
 * latest. Resolves when its standard output matches a pattern.
 *
 * @throws {Error} if it ends before.
 */
export async function startCommand(
  words: readonly string[],
  { until, ...options }: ProcessOptions & { readonly until: RegExp },
): Promise<StartedCommand> {
  const child = spawnCommand(words, options, ['ignore', 'pipe', 'inherit']);
  after(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit') as Promise<[number | null]>;
  let stdout = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout!.on('data', (piece) => {
      stdout += String(piece);
      if (until.test(stdout)) resolve();
    });
    void ended.then(([status]) => {
      reject(new Error(`donation-form ${words.join(' ')} ended with ${status}: ${stdout}`));
    });
  });
  return {
    child,
    stdout: () => stdout,
    async end(signal) {
      child.kill(signal);
      const [status] = await ended;
      return status;
    },
  };
}

/**
 * Runs commands in a thread that loads the command once, for tests that are about what a command
 * says: a process for each would take a hundred times as long.
 */
export class CommandThread {
  readonly #worker: Worker;
  #last: Promise<unknown> = Promise.resolve();

  constructor(env: Environment = {}) {
    this.#worker = new Worker(new URL('command-thread.ts', import.meta.url), { env });
    this.#worker.unref();
  }

  /** Runs a command after those that were run before. */
  run(...words: string[]): Promise<Ended> {
    const ended = this.#last.then(async () => {
      this.#worker.postMessage(words);
      const [answer] = (await once(this.#worker, 'message')) as [Ended];
      return answer;
    });
    this.#last = ended;
    return ended;
  }
}
