/**
 * Runs the sandbox in a separate process, which drops responses and rejects calls at random, and
 * records what it did.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface SandboxOptions {
  /** The platform's limit of calls per hour. */
  readonly hourlyLimit?: number;
  /** Share of the server's calls that are processed but get no response, from 0 to 1. */
  readonly replyLossRate?: number;
  /** Share of the server's calls that get a 503 and are not processed, from 0 to 1. */
  readonly refusalRate?: number;
  /**
   * How long the platform takes to record a gift, in milliseconds: a random time between two limits,
   * the same in every run. Lookups are immediate.
   */
  readonly recordingTime?: { readonly min: number; readonly max: number; readonly seed: number };
  /** Longest time until the search of Virtuous Raise shows a gift, in milliseconds. */
  readonly searchDelay?: number;
  /** See scaled-clock.ts. */
  readonly clock?: string;
}

/** A call to the platform. */
export interface PlatformCall {
  readonly at: number;
  readonly method: string;
  readonly status: number;
  /** End of the hour that the platform reports, as Unix time in seconds. */
  readonly resetsAt: number;
}

/** Everything that the sandbox did. */
export interface SandboxRecord {
  /** Payment IDs of successful charges by Stripe and PayPal, by the reference of the donation. */
  readonly charges: Readonly<Record<string, readonly string[]>>;
  /** IDs of the gifts that the platform recorded, by the reference of the donation. */
  readonly gifts: Readonly<Record<string, readonly number[]>>;
  readonly calls: readonly PlatformCall[];
  readonly lostReplies: number;
}

export interface SandboxProcess {
  readonly url: string;
  readonly getRecord: () => Promise<SandboxRecord>;
  /** Creates the confirmation token of a card, as a donor's browser does. */
  readonly createToken: () => Promise<string>;
  readonly stop: () => void;
}

export type SandboxQuery = 'record' | 'token';

export const KEYS = {
  FUNDRAISING_API_KEY: 'platform',
  PAYMENT_SECRET_KEY: 'sk_test_load',
  PAYMENT_WEBHOOK_SECRET: 'whsec_load',
  PAYPAL_CLIENT_SECRET: 'load',
  SITE_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
} as const;

export async function startSandbox(options: SandboxOptions = {}): Promise<SandboxProcess> {
  const child = fork(
    fileURLToPath(new URL('sandbox-process.ts', import.meta.url)),
    [JSON.stringify(options)],
    {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      serialization: 'advanced',
      // Otherwise the child would inherit the test runner's options and run tests.
      execArgv: [],
    },
  );
  const pending: ((answer: unknown) => void)[] = [];
  child.on('message', (answer) => {
    pending.shift()?.(answer);
  });
  const receiveAnswer = <Answer>(): Promise<Answer> =>
    new Promise((resolve, reject) => {
      pending.push(resolve as (answer: unknown) => void);
      child.once('error', reject).once('exit', () => reject(new Error('the sandbox exited')));
    });
  const sendQuery = <Answer>(query: SandboxQuery): Promise<Answer> => {
    const answer = receiveAnswer<Answer>();
    child.send(query);
    return answer;
  };
  const url = await receiveAnswer<string>();
  child.setMaxListeners(0);
  return {
    url,
    getRecord: () => sendQuery('record'),
    createToken: () => sendQuery('token'),
    stop: () => {
      child.kill('SIGKILL');
    },
  };
}
