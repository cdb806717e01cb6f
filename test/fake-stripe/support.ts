import assert from 'node:assert/strict';
import { Stripe } from 'stripe';
import { startFakeStripe, type FakeStripe, type FakeStripeOptions } from './index.ts';

export interface Desk extends AsyncDisposable {
  readonly fake: FakeStripe;
  readonly stripe: Stripe;
}

/** The fake, and the real library in front of it. */
export async function openDesk({
  retries = 0,
  key,
  ...options
}: FakeStripeOptions & { readonly retries?: number; readonly key?: string } = {}): Promise<Desk> {
  const fake = await startFakeStripe(options);
  const { host, port, secretKey } = fake;
  return {
    fake,
    stripe: new Stripe(key ?? secretKey, {
      host,
      port,
      protocol: 'http',
      maxNetworkRetries: retries,
      telemetry: false,
    }),
    [Symbol.asyncDispose]: () => fake.close(),
  };
}

export const GIFT = {
  amount: 5_000,
  currency: 'usd',
  metadata: { reference: 'ABCDE-FGHJK' },
} as const;

/** The error that a call is answered with. */
export async function errorOf(
  call: Promise<unknown>,
): Promise<InstanceType<typeof Stripe.errors.StripeError>> {
  const error = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(error instanceof Stripe.errors.StripeError, 'the call was refused');
  return error;
}

export const typesOf = (fake: FakeStripe): string[] => fake.events.map(({ type }) => type);
