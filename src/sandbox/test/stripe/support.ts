import assert from 'node:assert/strict';
import { test as nodeTest } from 'node:test';
import { Stripe } from 'stripe';
import {
  type FakeStripe,
  type FakeStripeOptions,
  startFakeStripe,
} from '../../../../test/fake-stripe.ts';

export interface StripeFixture extends AsyncDisposable {
  readonly fake: FakeStripe;
  readonly stripe: Stripe;
  /** Confirms a payment intent with a card, a bank account, or another method. */
  readonly confirm: ConfirmPayment;
  /** Confirms the first payment of a subscription. */
  readonly confirmRecurring: ConfirmPayment;
}

type ConfirmPayment = (
  id: string,
  method: string,
  params?: Stripe.PaymentIntentConfirmParams,
) => Promise<Stripe.Response<Stripe.PaymentIntent>>;

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
  const stripe = new Stripe(key ?? secretKey, {
    host,
    port,
    protocol: 'http',
    maxNetworkRetries: retries,
    telemetry: false,
  });
  const createConfirm =
    (isRecurring: boolean): ConfirmPayment =>
    (id, method, params = {}) =>
      stripe.paymentIntents.confirm(id, {
        confirmation_token: fake.createConfirmationToken(method, { isRecurring }),
        ...params,
      });
  return {
    fake,
    stripe,
    confirm: createConfirm(false),
    confirmRecurring: createConfirm(true),
    [Symbol.asyncDispose]: () => fake.close(),
  };
}

/** Declares a test with a new fake. */
export function test(title: string, run: (fixture: StripeFixture) => Promise<void> | void): void {
  void nodeTest(title, async () => {
    await using fixture = await openFakeStripe();
    await run(fixture);
  });
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
