/**
 * The sandbox in a process of its own, which loses replies and refuses at the rates that it is
 * told, and remembers what it did.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface SandboxOrder {
  /** The platform's calls an hour. */
  readonly hourlyLimit?: number;
  /** Which part of a server's calls is carried out and not answered. */
  readonly lost?: number;
  /** Which part of a server's calls is answered 503 and not carried out. */
  readonly refused?: number;
  /** See scaled-clock.ts. */
  readonly clock?: string;
}

/** A call that reached the platform. */
export interface PlatformCall {
  readonly at: number;
  readonly method: string;
  readonly status: number;
  /** Unix time in seconds, as the platform said. */
  readonly resetsAt: number;
}

/** What the sandbox did. */
export interface Witness {
  /** The payments that took money, by the references of their gifts. */
  readonly charges: Readonly<Record<string, readonly string[]>>;
  /** The platform's ids, by the references of the gifts that it recorded. */
  readonly gifts: Readonly<Record<string, readonly number[]>>;
  readonly calls: readonly PlatformCall[];
  readonly lost: number;
  readonly refused: number;
}

export interface SandboxProcess {
  readonly address: string;
  readonly witness: () => Promise<Witness>;
  /** Makes card tokens, as the donors' browsers would. */
  readonly tokens: (count: number) => Promise<string[]>;
  readonly stop: () => void;
}

export type Question =
  { readonly ask: 'witness' } | { readonly ask: 'tokens'; readonly count: number };

export const KEYS = {
  FUNDRAISING_API_KEY: 'platform',
  PAYMENT_SECRET_KEY: 'secret',
  PAYMENT_WEBHOOK_SECRET: 'webhook-secret',
} as const;

export async function startSandbox(order: SandboxOrder = {}): Promise<SandboxProcess> {
  const child = fork(
    fileURLToPath(new URL('sandbox-process.ts', import.meta.url)),
    [JSON.stringify(order)],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], serialization: 'advanced' },
  );
  const waiting: ((answer: unknown) => void)[] = [];
  child.on('message', (answer) => {
    waiting.shift()?.(answer);
  });
  const next = <Answer>(): Promise<Answer> =>
    new Promise((resolve, reject) => {
      waiting.push(resolve as (answer: unknown) => void);
      child.once('error', reject).once('exit', () => reject(new Error('the sandbox ended')));
    });
  const ask = <Answer>(question: Question): Promise<Answer> => {
    const answer = next<Answer>();
    child.send(question);
    return answer;
  };
  const address = await next<string>();
  child.setMaxListeners(0);
  return {
    address,
    witness: () => ask({ ask: 'witness' }),
    tokens: (count) => ask({ ask: 'tokens', count }),
    stop: () => {
      child.kill('SIGKILL');
    },
  };
}
