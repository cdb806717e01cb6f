import type { SandboxOptions } from '../../src/sandbox/index.ts';
import { openSandbox, type Answer, type Opened } from './support.ts';

export type Fields = Readonly<Record<string, unknown>>;

export const CARDS = {
  good: '4242424242424242',
  declined: '4000000000000002',
  poor: '4000000000009995',
  expired: '4000000000000069',
  asking: '4000002760003184',
  losing: '4000000000000119',
  disputed: '4000000000000259',
  failingLater: '4000000000000341',
  slow: '4000000000000077',
} as const;

export interface OpenedProcessor extends Opened {
  /** A call of a server to the processor, with the secret key; a body makes it a POST. */
  readonly call: (
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Answer>;
  /** A call that steers, with the platform's key. */
  readonly steer: (path: string, body?: unknown) => Promise<Answer>;
  readonly token: (number: string) => Promise<string>;
  readonly bankToken: (account: string) => Promise<string>;
  /** Opens a payment. */
  readonly open: (fields?: Fields, key?: string) => Promise<Fields>;
  readonly confirm: (id: unknown, number: string, fields?: Fields) => Promise<Answer>;
  /** Opens a payment and confirms it with a card. */
  readonly pay: (number: string, fields?: Fields) => Promise<Fields>;
  readonly payment: (id: unknown) => Promise<Fields>;
  readonly subscription: (id: unknown) => Promise<Fields>;
  /** Moves the sandbox's clock, and so lets everything happen that is due. */
  readonly days: (count: number) => Promise<void>;
  /** What a donor's browser asks: without any key; fields make it a form that is sent. */
  readonly visit: (
    address: unknown,
    fields?: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Answer>;
}

export const TERMS = { reference: 'R1', amount: 5_000, currency: 'USD', frequency: 'once' };

export function openProcessor(options: Partial<SandboxOptions> = {}): OpenedProcessor {
  const opened = openSandbox(options);
  let keys = 0;
  const post = (body: unknown): RequestInit =>
    body === undefined
      ? {}
      : { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) };
  const call = (
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> =>
    opened.ask(`/processor${path}`, undefined, {
      headers: { Authorization: 'Bearer secret', ...headers },
      ...post(body),
    });
  const steer = (path: string, body?: unknown): Promise<Answer> => opened.ask(path, body);
  const tokenOf = async (fields: Fields): Promise<string> =>
    ((await call('/tokens', { publicKey: 'pk_sandbox', ...fields })).body as { token: string })
      .token;
  const token = (number: string): Promise<string> =>
    tokenOf({ number, expiry: '1230', cvc: '123' });
  const open = async (fields: Fields = {}, key = `key ${(keys += 1)}`): Promise<Fields> =>
    (await call('/payments', { ...TERMS, ...fields }, { 'Idempotency-Key': key })).body as Fields;
  const confirm = async (id: unknown, number: string, fields: Fields = {}): Promise<Answer> =>
    call(`/payments/${String(id)}/confirm`, { token: await token(number), ...fields });
  return {
    ...opened,
    call,
    steer,
    token,
    open,
    confirm,
    bankToken: (account) => tokenOf({ account, routing: '110000000' }),
    pay: async (number, fields) => (await confirm((await open(fields)).id, number)).body as Fields,
    payment: async (id) => (await call(`/payments/${String(id)}`)).body as Fields,
    subscription: async (id) => (await call(`/subscriptions/${String(id)}`)).body as Fields,
    days: async (count) => {
      await steer('/sandbox/clock', { advanceSeconds: count * 86_400 });
    },
    visit: (address, fields, headers = {}) =>
      opened.ask(
        String(address),
        undefined,
        fields
          ? {
              method: 'POST',
              headers: {
                'Content-Type': 'application/x-www-form-urlencoded',
                Origin: 'http://127.0.0.1:4102',
                ...headers,
              },
              body: new URLSearchParams(fields).toString(),
            }
          : { headers },
      ),
  };
}
