import assert from 'node:assert/strict';
import { Stripe } from 'stripe';
import {
  startFakeStripe,
  type FakeStripe,
  type FakeStripeOptions,
} from '../../../../test/fake-stripe.ts';

export interface StripeFixture extends AsyncDisposable {
  readonly fake: FakeStripe;
  readonly stripe: Stripe;
}

/** Starts the fake and connects Stripe's real library to it. */
export async function openFakeStripe({
  retries = 0,
  key,
  ...options
}: FakeStripeOptions & {
  readonly retries?: number;
  readonly key?: string;
} = {}): Promise<StripeFixture> {
  const fake = await startFakeStripe({ allowsRejectedRequests: true, ...options });
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

export const PAYMENT_PARAMS = {
  amount: 5_000,
  currency: 'usd',
  metadata: { donation_form_reference: 'ABCDE-FGHJK' },
} as const;

/** Returns the error of a rejected call. */
export async function captureError(
  call: Promise<unknown>,
): Promise<InstanceType<typeof Stripe.errors.StripeError>> {
  const error = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(error instanceof Stripe.errors.StripeError, 'the call was rejected');
  return error;
}

export const listEventTypes = (fake: FakeStripe): string[] => fake.events.map(({ type }) => type);
