import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { after } from 'node:test';
import { Worker } from 'node:worker_threads';

const COMMAND = 'dist/donation-form-server/lib/cli.js';

type Environment = Readonly<Record<string, string | undefined>>;

const CLOCK = new URL('../../load/scaled-clock.ts', import.meta.url).href;

export interface Clock {
  /** Offset from the machine's clock, in milliseconds. */
  readonly ahead?: number;
  /** Speed of the clock and of timers, as a multiple of real time. */
  readonly speed?: number;
}

interface ProcessOptions {
  readonly env?: Environment;
  readonly clock?: Clock | undefined;
}

/** The command saves its compiled code here, for the next processes. */
const XDG_CACHE_HOME = resolve('node_modules/.cache');

function spawnCommand(
  args: readonly string[],
  { env: variables, clock }: ProcessOptions,
  stdio: StdioOptions,
): ChildProcess {
  const now = Date.now();
  const env = { XDG_CACHE_HOME, ...variables };
  return clock === undefined
    ? spawn(process.execPath, [COMMAND, ...args], { env, stdio })
    : spawn(process.execPath, ['--import', CLOCK, COMMAND, ...args], {
        env: { ...env, LOAD_CLOCK: `${now},${now + (clock.ahead ?? 0)},${clock.speed ?? 1}` },
        stdio,
      });
}

export interface CommandResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function runCommand(
  args: readonly string[],
  {
    onStart,
    ...options
  }: ProcessOptions & { readonly onStart?: (child: ChildProcess) => void } = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawnCommand(args, options, ['ignore', 'pipe', 'pipe']);
    let stdout = '';
    let stderr = '';
    child.stdout!.on('data', (chunk) => {
      stdout += String(chunk);
    });
    child.stderr!.on('data', (chunk) => {
      stderr += String(chunk);
    });
    child.on('close', (status) => resolve({ status, stdout, stderr }));
    onStart?.(child);
  });
}

export interface StartedCommand {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  /** Sends a signal. Resolves with the exit code. */
  readonly stop: (signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL') => Promise<number | null>;
}

/** Starts the built command, and waits until its standard output matches a pattern. */
export async function startCommand(
  args: readonly string[],
  { until, ...options }: ProcessOptions & { readonly until: RegExp },
): Promise<StartedCommand> {
  const child = spawnCommand(args, options, ['ignore', 'pipe', 'inherit']);
  after(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit') as Promise<[number | null]>;
  let stdout = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout!.on('data', (chunk) => {
      stdout += String(chunk);
      if (until.test(stdout)) resolve();
    });
    void ended.then(([status]) => {
      reject(new Error(`donation-form ${args.join(' ')} ended with ${status}: ${stdout}`));
    });
  });
  return {
    child,
    stdout: () => stdout,
    async stop(signal) {
      child.kill(signal);
      const [status] = await ended;
      return status;
    },
  };
}

/**
 * Runs built commands in a thread that loads the code once, in a hundredth of the time of a process.
 */
class CommandThread {
  readonly #env: Environment;
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(env: Environment) {
    this.#env = env;
  }

  /** Runs a command after the previous ones have finished. */
  run(...args: string[]): Promise<CommandResult> {
    const ended = this.#last.then(async () => {
      this.#worker ??= this.#startWorker();
      this.#worker.postMessage(args);
      const [answer] = (await once(this.#worker, 'message')) as [CommandResult];
      return answer;
    });
    this.#last = ended;
    return ended;
  }

  #startWorker(): Worker {
    const worker = new Worker(new URL('command-thread.ts', import.meta.url), { env: this.#env });
    worker.unref();
    return worker;
  }
}

const threads = new Map<string, CommandThread>();

/** Returns the thread with these environment variables, which all test files of a process share. */
export function getCommandThread(env: Environment = {}): CommandThread {
  const key = JSON.stringify(env);
  const thread = threads.get(key) ?? new CommandThread(env);
  threads.set(key, thread);
  return thread;
}
