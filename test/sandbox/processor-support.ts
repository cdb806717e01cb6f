import type { SandboxOptions } from '../../src/sandbox/index.ts';
import { openSandbox, type TestResponse, type SandboxFixture } from './support.ts';

export type Fields = Readonly<Record<string, unknown>>;

export const CARDS = {
  succeeding: '4242424242424242',
  declined: '4000000000000002',
  insufficientFunds: '4000000000009995',
  expired: '4000000000000069',
  requiringAuthentication: '4000002760003184',
  losingResponse: '4000000000000119',
  disputed: '4000000000000259',
  failingRenewals: '4000000000000341',
  slow: '4000000000000077',
} as const;

export interface ProcessorFixture extends SandboxFixture {
  /** Calls the server API with the secret key. With a body, the method is POST. */
  readonly callProcessor: (
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<TestResponse>;
  /** Calls the control API with the platform key. */
  readonly callControlApi: (path: string, body?: unknown) => Promise<TestResponse>;
  readonly createCardToken: (number: string) => Promise<string>;
  readonly createBankToken: (account: string) => Promise<string>;
  readonly createPayment: (fields?: Fields, key?: string) => Promise<Fields>;
  readonly confirmWithCard: (id: unknown, number: string, fields?: Fields) => Promise<TestResponse>;
  /** Creates a payment and confirms it with a card. */
  readonly payWithCard: (number: string, fields?: Fields) => Promise<Fields>;
  readonly fetchPayment: (id: unknown) => Promise<Fields>;
  readonly fetchSubscription: (id: unknown) => Promise<Fields>;
  /** Moves the clock forward, which runs the scheduled tasks. */
  readonly advanceDays: (count: number) => Promise<void>;
  /** Requests a page as a donor's browser, without a key. With fields, submits a form. */
  readonly visitPage: (
    address: unknown,
    fields?: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<TestResponse>;
}

export const PAYMENT_REQUEST = {
  reference: 'R1',
  amount: 5_000,
  currency: 'USD',
  frequency: 'once',
};

export function openProcessor(options: Partial<SandboxOptions> = {}): ProcessorFixture {
  const fixture = openSandbox(options);
  let keys = 0;
  const post = (body: unknown): RequestInit =>
    body === undefined
      ? {}
      : { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) };
  const callProcessor = (
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<TestResponse> =>
    fixture.request(`/processor${path}`, undefined, {
      headers: { Authorization: 'Bearer secret', ...headers },
      ...post(body),
    });
  const callControlApi = (path: string, body?: unknown): Promise<TestResponse> =>
    fixture.request(path, body);
  const createToken = async (fields: Fields): Promise<string> =>
    (
      (await callProcessor('/tokens', { publicKey: 'pk_sandbox', ...fields })).body as {
        token: string;
      }
    ).token;
  const createCardToken = (number: string): Promise<string> =>
    createToken({ number, expiry: '1230', cvc: '123' });
  const createPayment = async (fields: Fields = {}, key = `key ${(keys += 1)}`): Promise<Fields> =>
    (
      await callProcessor(
        '/payments',
        { ...PAYMENT_REQUEST, ...fields },
        { 'Idempotency-Key': key },
      )
    ).body as Fields;
  const confirmWithCard = async (
    id: unknown,
    number: string,
    fields: Fields = {},
  ): Promise<TestResponse> =>
    callProcessor(`/payments/${String(id)}/confirm`, {
      token: await createCardToken(number),
      ...fields,
    });
  return {
    ...fixture,
    callProcessor,
    callControlApi,
    createCardToken,
    createPayment,
    confirmWithCard,
    createBankToken: (account) => createToken({ account, routing: '110000000' }),
    payWithCard: async (number, fields) =>
      (await confirmWithCard((await createPayment(fields)).id, number)).body as Fields,
    fetchPayment: async (id) => (await callProcessor(`/payments/${String(id)}`)).body as Fields,
    fetchSubscription: async (id) =>
      (await callProcessor(`/subscriptions/${String(id)}`)).body as Fields,
    advanceDays: async (count) => {
      await callControlApi('/sandbox/clock', { advanceSeconds: count * 86_400 });
    },
    visitPage: (address, fields, headers = {}) =>
      fixture.request(
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
