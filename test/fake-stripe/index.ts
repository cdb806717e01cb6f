import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Stripe } from 'stripe';
import { Account } from './account.ts';
import { Afterwards } from './afterwards.ts';
import { Api } from './api.ts';
import { Billing } from './billing.ts';
import { billingCalls } from './billing-calls.ts';
import { Checkout } from './checkout.ts';
import { checkoutCalls } from './checkout-calls.ts';
import { Events, type Delivery } from './events.ts';
import { Faults } from './faults.ts';
import { pages } from './pages.ts';
import { paymentCalls } from './payment-calls.ts';
import { Payments } from './payments.ts';
import { Portal } from './portal.ts';
import { idOf, Store } from './store.ts';

export { BANKS, CARDS } from './means.ts';
export type { Delivery } from './events.ts';
export { stripeJs } from './stripe-js.ts';

export interface FakeStripeOptions {
  readonly port?: number;
  readonly secretKey?: string;
  readonly publishableKey?: string;
  readonly webhookSecret?: string;
  /**
   * What a subscription is while a bank has its first debit under way; `active` where nothing is
   * said.
   */
  readonly whileProcessing?: 'active' | 'incomplete';
  /**
   * Whether somebody saved the portal's settings in the Dashboard, which makes the default
   * configuration.
   */
  readonly portalSaved?: boolean;
  /** The clock, in milliseconds since 1970. */
  readonly now?: () => number;
}

export type FakeStripe = Awaited<ReturnType<typeof startFakeStripe>>;

/**
 * Stripe's HTTP API on a port of this machine, for tests: no network, no account, no money. It
 * refuses what Stripe refuses.
 */
export async function startFakeStripe({
  port: wished = 0,
  secretKey = 'sk_test_fake',
  publishableKey = 'pk_test_fake',
  webhookSecret = 'whsec_fake',
  whileProcessing = 'active',
  portalSaved = false,
  now = Date.now,
}: FakeStripeOptions = {}) {
  const host = '127.0.0.1';
  const server = createServer();
  const address = (): string => `http://${host}:${(server.address() as AddressInfo).port}`;
  const store = new Store(now);
  const faults = new Faults();
  const events = new Events(store, webhookSecret);
  const payments = new Payments({ store, events, address });
  const afterwards = new Afterwards(store, events);
  const billing = new Billing({ store, events, payments, whileProcessing });
  const checkout = new Checkout({ store, events, payments, billing, address });
  const api = new Api({ store, faults, secretKey, publishableKey });
  paymentCalls(api, store, payments);
  billingCalls({ api, store, events, billing });
  checkoutCalls(api, store, checkout);
  const account = new Account(api);
  const portal = new Portal({ api, store, address });
  if (portalSaved) portal.add(true);
  api.app.route('/', pages({ store, payments, checkout, portal, address }));

  const listener = getRequestListener(api.app.fetch);
  server.on('request', (request, response) => void listener(request, response));
  server.listen(wished, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    address: address(),
    host,
    port,
    secretKey,
    publishableKey,
    webhookSecret,
    /** Every call to the API, such as `POST /v1/payment_intents`. */
    calls: api.calls,
    /** What somebody entered in the Dashboard: where the account's events are sent. */
    addWebhookEndpoint: account.addWebhookEndpoint.bind(account),
    get events(): Stripe.Event[] {
      return events.made;
    },
    /**
     * The id of a token that a browser would have made; of a number of `MEANS`, or one of their
     * names.
     */
    confirmationToken: (means: string): string => payments.token(means).id,
    paymentIntents: (): Stripe.PaymentIntent[] => store.all('payment_intent'),
    /**
     * The charges that were paid for the payment or the subscription that carries this
     * `metadata.reference`, the oldest first.
     */
    charges: (reference: string): Stripe.Charge[] =>
      store
        .all('charge')
        .filter(
          ({ captured, metadata, payment_intent }) =>
            captured &&
            (metadata.reference ??
              billing.invoiceOf(idOf(payment_intent))?.parent?.subscription_details?.metadata
                ?.reference) === reference,
        ),
    /** What a person does on the page that asks whether it is them. */
    authenticate: (intent: string, agreed: boolean) => payments.authenticate(intent, agreed),
    /** The bank pays a debit that is under way, unless it is one of those that fail. */
    settle: (intent: string) => payments.settle(intent, true),
    /** The bank does not pay a debit that is under way. */
    fail: (intent: string) => payments.settle(intent, false),
    /**
     * A subscription's next period is billed; or where the last one is still open, it is tried
     * again. After four failures the subscription ends.
     */
    renew: (subscription: string) => billing.renew(subscription),
    /** A donor gives another card for what is to come. */
    changeCard: (subscription: string, card: string) => billing.changeCard(subscription, card),
    /** A donor ends a subscription in the portal: at once, or when the period that is paid ends. */
    cancelSubscription: (id: string, when?: { readonly atPeriodEnd?: boolean }) =>
      billing.cancel(id, when),
    /** As Stripe does 23 hours after a first payment that never came. */
    expireSubscription: (id: string) => billing.expire(id),
    /**
     * What a person does on the page of a checkout session.
     * @returns where their browser goes next.
     * @throws the error of a declined card.
     */
    payCheckout: (session: string, means: string, email = 'ana@example.org') =>
      checkout.pay(session, means, email),
    refund: (intent: string, amount?: number) => afterwards.refund(intent, amount),
    failRefund: (id: string) => afterwards.failRefund(id),
    dispute: (intent: string) => afterwards.dispute(intent),
    closeDispute: (id: string, status: 'won' | 'lost') => afterwards.closeDispute(id, status),
    /** The next calls do their work, and the connection breaks before the answer. */
    loseReplies: (count = 1, path?: RegExp) => faults.add('lose-reply', 0, count, path),
    /**
     * The next calls are answered so without any work. A 500 is kept under its idempotency key, as
     * Stripe keeps it; what an edge answers (429, 502, 503) is not.
     */
    answer: (status: number, count = 1, path?: RegExp) => faults.add('answer', status, count, path),
    /** The same, after some calls have passed. */
    answerAfter: (passing: number, status: number, count = 1, path?: RegExp) =>
      faults.add('answer', status, count, path, passing),
    /**
     * The next call waits before its work, with its idempotency key taken, until it is released.
     */
    hold: () => faults.hold(),
    /** As Stripe does after a day or more. */
    forgetIdempotencyKeys: () => api.idempotency.forget(),
    /** Sends events to a webhook, signed as Stripe signs. @returns the statuses that came back. */
    deliver: (url: string, delivery?: Delivery) => events.deliver(url, delivery),
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
    async [Symbol.asyncDispose]() {
      await this.close();
    },
  };
}
