import { createSandbox } from '../../../src/sandbox/index.ts';
import { listen } from '../../../src/server/http/listen.ts';
import { createSandboxGateway } from '../../../src/server/payments/sandbox.ts';
import type { TestPaymentMethod, TestProvider } from './contract.ts';

const CARDS: Readonly<
  Record<Exclude<TestPaymentMethod, 'bank debit' | 'failing bank debit'>, string>
> = {
  good: '4242424242424242',
  declined: '4000000000000002',
  'insufficient funds': '4000000000009995',
  expired: '4000000000000069',
  asks: '4000002760003184',
  'fails when renewed': '4000000000000341',
};
const ACCOUNTS: Readonly<Partial<Record<TestPaymentMethod, string>>> = {
  'bank debit': '000123456789',
  'failing bank debit': '000111111113',
};

const LOOPBACK = { host: '127.0.0.1', port: 0 } as const;

export interface SandboxProvider extends TestProvider {
  readonly address: string;
  readonly secretKey: string;
  readonly webhookSecret: string;
}

/**
 * Starts the sandbox's processor on a socket, with a webhook listener and the built-in gateway.
 */
export async function startSandboxProvider(): Promise<SandboxProvider> {
  const received: { body: string; headers: Headers }[] = [];
  const hook = await listen(async (request) => {
    received.push({ body: await request.text(), headers: request.headers });
    return new Response();
  }, LOOPBACK);
  const webhookSecret = 'webhook-secret';
  const secretKey = 'secret';
  const sandbox = createSandbox({
    platformKey: 'platform',
    secretKey,
    processorWebhook: { url: `${hook.url}/`, secret: webhookSecret },
    webhookRetryDelays: [10],
  });
  const { url: address, close } = await listen(sandbox.fetch, LOOPBACK);
  const send = async (
    path: string,
    {
      key,
      body,
      form,
    }: {
      readonly key?: string;
      readonly body?: object;
      readonly form?: Readonly<Record<string, string>>;
    } = {},
  ): Promise<Response> =>
    fetch(new URL(path, address), {
      redirect: 'manual',
      method: body || form ? 'POST' : 'GET',
      headers: {
        ...(key !== undefined && { Authorization: `Bearer ${key}` }),
        ...(form && { Origin: address }),
      },
      ...(body && { body: JSON.stringify(body) }),
      ...(form && { body: new URLSearchParams(form) }),
    });
  const advanceDays = async (days: number): Promise<unknown> =>
    send('/sandbox/clock', { key: 'platform', body: { advanceSeconds: days * 86_400 } });
  const control = async (paymentId: string, what: string, body: object = {}): Promise<unknown> =>
    send(`/sandbox/payments/${paymentId}/${what}`, { key: 'platform', body });
  return {
    address,
    secretKey,
    webhookSecret,
    gateway: createSandboxGateway({ baseUrl: `${address}/processor`, secretKey, webhookSecret }),
    async createToken(method) {
      const account = ACCOUNTS[method];
      const source =
        account === undefined
          ? { number: CARDS[method as keyof typeof CARDS], expiry: '1230', cvc: '123' }
          : { account, routing: '110000000' };
      return (
        (await (
          await send('/processor/tokens', { body: { publicKey: 'pk_sandbox', ...source } })
        ).json()) as { token: string }
      ).token;
    },
    async listCharges(reference) {
      const { payments } = (await (
        await send(`/processor/payments?reference=${reference}`, { key: secretKey })
      ).json()) as { payments: { state: string; amount: number }[] };
      return payments.filter(({ state }) => state === 'succeeded').map(({ amount }) => amount);
    },
    returnUrl: 'http://127.0.0.1:4100/',
    authenticate: (payment, agrees) =>
      send(payment.action?.kind === 'redirect' ? payment.action.url : '', {
        form: { answer: agrees ? 'confirm' : 'refuse' },
      }),
    payOnPage: (page) =>
      send(page, { form: { number: '4242424242424242', expiry: '12/30', cvc: '123' } }),
    settle: () => advanceDays(4),
    renew: () => advanceDays(32),
    cancelSubscription: ({ subscriptionId }) =>
      send(`/processor/subscriptions/${subscriptionId}/cancel`, { key: secretKey, body: {} }),
    refund: ({ paymentId }, amount) =>
      control(paymentId, 'refund', amount === undefined ? {} : { amount }),
    dispute: ({ paymentId }) => control(paymentId, 'dispute'),
    closeDispute: ({ paymentId }, end) => control(paymentId, `dispute/${end}`),
    async listWebhooks() {
      // Several short pauses: after one, what has arrived meanwhile may not have been read yet.
      for (let quiet = 0; quiet < 5; quiet += 1) {
        const before = received.length;
        await new Promise((resolve) => setTimeout(resolve, 20));
        if (received.length > before) quiet = 0;
      }
      return received;
    },
    async [Symbol.asyncDispose]() {
      await close();
      sandbox.close();
      await hook.close();
    },
  };
}
