import type { FormDefinition } from '../../../src/core/schemas/form-definition.ts';
import type { DonationOutcome } from '../../../src/core/schemas/donation-outcome.ts';
import { listen } from '../../../src/server/http/listen.ts';
import { createStripeGateway } from '../../../src/server/payments/stripe/stripe-gateway.ts';
import { exampleForm } from '../../example-form.ts';
import { CARDS, startFakeStripe, type FakeStripe } from '../../fake-stripe/index.ts';
import { newKey, openDesk, outcomeOf, type Desk, type DeskOptions } from '../support.ts';

/** The example form with three ways to pay. */
export const paidForm: FormDefinition = {
  ...exampleForm,
  frequencies: ['once', 'monthly'],
  payments: [
    ...exampleForm.payments,
    {
      provider: 'stripe',
      methods: [0, 4, 1],
      hasHostedCheckout: true,
      hasCustomerPortal: true,
      options: { publicKey: 'pk_test_fake', methods: 'card,us_bank_account' },
    },
    {
      provider: 'offline',
      label: 'Transfer',
      methods: [],
      hasHostedCheckout: false,
      hasCustomerPortal: false,
      options: { instructions: 'You get our account number.' },
    },
  ],
};

export interface StripeDesk extends Desk {
  readonly fake: FakeStripe;
  /**
   * Gives by Stripe, under each key another donor.
   * @param means a test card's number, or another name that the fake knows; `null` sends no token.
   */
  give(means?: string | null, gift?: object, key?: string): Promise<DonationOutcome>;
  /** Sends what the fake would tell to the server's webhook. @returns the statuses. */
  tell(how?: {
    readonly times?: number;
    readonly order?: 'original' | 'reversed' | 'shuffled';
  }): Promise<number[]>;
}

/** A server whose gifts are paid by Stripe, as far as the fake is Stripe. */
export async function openStripeDesk(
  options: DeskOptions = {},
  running?: FakeStripe,
): Promise<StripeDesk> {
  const fake = running ?? (await startFakeStripe());
  const gateway = createStripeGateway({
    secretKey: fake.secretKey,
    webhookSecret: fake.webhookSecret,
    methods: ['card', 'us_bank_account'],
    baseUrl: fake.url,
    retryDelay: 10,
  });
  const desk = await openDesk({
    form: paidForm,
    payments: { stripe: { gateway, providerType: 2 } },
    ...options,
  });
  return {
    ...desk,
    fake,
    async give(means = CARDS.good, gift = {}, key = newKey()) {
      const payment = {
        provider: 'stripe',
        returnUrl: 'https://lanternwell.example/give',
        ...(means !== null && { method: 0 as const, token: fake.createConfirmationToken(means) }),
      };
      return outcomeOf(
        await desk.post(
          await desk.request({
            payment,
            gift,
            donor: { email: `${key.slice(0, 12).toLowerCase()}@example.org` },
          }),
          { key },
        ),
      );
    },
    async tell(how = {}) {
      const listening = await listen(desk.handler.fetch, { host: '127.0.0.1', port: 0 });
      const statuses = await fake.deliverEvents(
        `${listening.url}/webhooks/stripe/lanternwell`,
        how,
      );
      await listening.close();
      return statuses;
    },
    async [Symbol.asyncDispose]() {
      await desk[Symbol.asyncDispose]();
      if (!running) await fake.close();
    },
  };
}
