import type { Stripe } from 'stripe';
import { Account } from './account.ts';
import { RefundsAndDisputes } from './refunds-and-disputes.ts';
import { Api } from './api.ts';
import { Billing } from './billing.ts';
import { addBillingRoutes } from './billing-routes.ts';
import { Checkout } from './checkout.ts';
import { addCheckoutRoutes } from './checkout-routes.ts';
import { EventLog, type DeliveryOptions } from './events.ts';
import { ScriptedFaults } from './scripted-faults.ts';
import { createPages } from './pages.ts';
import { ActivatedTypes } from './payment-method-types.ts';
import { addPaymentRoutes } from './payment-routes.ts';
import { US_PRICING, type Pricing } from './payment-objects.ts';
import { Payments } from './payments.ts';
import { Portal } from './portal.ts';
import { getId, Store } from './store.ts';
import { getRequestOrigin } from '../lib/request-parsing.ts';

export interface StripeEmulatorOptions {
  /** Path at which the emulator is mounted, such as `/stripe`. Default: the root. */
  readonly basePath?: string;
  readonly secretKey?: string;
  readonly publishableKey?: string;
  readonly webhookSecret?: string;
  /** Status of a subscription while its first bank debit is processing. Default: `active`. */
  readonly statusWhileProcessing?: 'active' | 'incomplete';
  /**
   * If true, the account has a default portal configuration, as after saving the portal settings in
   * the Dashboard.
   */
  readonly hasDefaultPortalConfiguration?: boolean;
  /** Default: that of a US account. */
  readonly pricing?: Pricing;
  /** Clock in Unix milliseconds. */
  readonly now?: () => number;
}

/**
 * Emulates Stripe's HTTP API and the pages and browser script that Stripe serves. It is written
 * from Stripe's public documentation and types, needs no network or account, and rejects what
 * Stripe rejects. No money moves.
 */
export function createStripeEmulator({
  basePath = '',
  secretKey = 'sk_test_sandbox',
  publishableKey = 'pk_test_sandbox',
  webhookSecret = 'whsec_sandbox',
  statusWhileProcessing = 'active',
  hasDefaultPortalConfiguration = false,
  pricing = US_PRICING,
  now = Date.now,
}: StripeEmulatorOptions = {}) {
  let baseUrl = '';
  const getBaseUrl = (): string => baseUrl;
  const store = new Store(now);
  const faults = new ScriptedFaults();
  const events = new EventLog(store, webhookSecret);
  const activatedTypes = new ActivatedTypes();
  const payments = new Payments({ store, events, activatedTypes, pricing, getBaseUrl });
  const refundsAndDisputes = new RefundsAndDisputes(store, events);
  const billing = new Billing({ store, events, payments, activatedTypes, statusWhileProcessing });
  const checkout = new Checkout({ store, events, payments, billing, getBaseUrl });
  const api = new Api({ store, faults, secretKey, publishableKey });
  addPaymentRoutes(api, store, payments, activatedTypes);
  addBillingRoutes({ api, store, events, billing, activatedTypes });
  addCheckoutRoutes(api, store, checkout, activatedTypes);
  const account = new Account(api, activatedTypes);
  const portal = new Portal({ api, store, getBaseUrl });
  if (hasDefaultPortalConfiguration) portal.addConfiguration(true);
  api.app.route('/', createPages({ store, payments, checkout, portal, getBaseUrl }));

  return {
    /** Handles requests without the base path. */
    fetch: (request: Request): Response | Promise<Response> => {
      baseUrl = `${getRequestOrigin(request)}${basePath}`;
      return api.app.fetch(request);
    },
    secretKey,
    publishableKey,
    webhookSecret,
    /** API calls so far, such as `POST /v1/payment_intents`. */
    calls: api.calls,
    /** Adds a webhook endpoint as if entered in the Dashboard. */
    addWebhookEndpoint: account.addWebhookEndpoint.bind(account),
    get events(): Stripe.Event[] {
      return events.all;
    },
    /**
     * Creates a confirmation token as a browser does, and returns its ID.
     * @param number a key of `TEST_PAYMENT_METHODS`.
     * @param options.isRecurring true if Elements is in subscription mode.
     */
    createConfirmationToken: (number: string, { isRecurring = false } = {}): string =>
      payments.createConfirmationToken(number, {}, isRecurring ? 'off_session' : null).id,
    /** Deactivates a payment method type, as in the Dashboard. */
    deactivatePaymentMethodType: (type: string) => activatedTypes.deactivate(type),
    /** Registers a domain for wallets, as in the Dashboard. */
    addPaymentMethodDomain: account.addPaymentMethodDomain.bind(account),
    /** Archives a product, as in the Dashboard. */
    archiveProduct: (id: string) => Object.assign(store.get('product', id), { active: false }),
    listPaymentIntents: (): Stripe.PaymentIntent[] => store.list('payment_intent'),
    /**
     * Lists the paid charges of the payment or subscription with this `metadata.reference`, oldest
     * first.
     */
    listCharges: (reference: string): Stripe.Charge[] =>
      store
        .list('charge')
        .filter(
          ({ captured, metadata, payment_intent }) =>
            captured &&
            (metadata.reference ??
              billing.findInvoice(getId(payment_intent))?.parent?.subscription_details?.metadata
                ?.reference) === reference,
        ),
    /** Answers the authentication page of a payment. */
    completeAuthentication: (intent: string, isConfirmed: boolean) =>
      payments.completeAuthentication(intent, isConfirmed),
    /** Settles a processing bank debit, unless its account fails. */
    settleDebit: (intent: string) => payments.settleDebit(intent, true),
    /** Fails a processing bank debit. */
    failDebit: (intent: string) => payments.settleDebit(intent, false),
    /**
     * Bills the next period, or retries the latest invoice if it is still open. The fourth failure
     * ends the subscription.
     */
    renewSubscription: (subscription: string) => billing.renewSubscription(subscription),
    /** Changes the card of future invoices. */
    changeCard: (subscription: string, card: string) => billing.changeCard(subscription, card),
    /** Cancels a subscription as in the portal: immediately, or at the end of the paid period. */
    cancelSubscription: (id: string, when?: { readonly atPeriodEnd?: boolean }) =>
      billing.cancelSubscription(id, when),
    /** Expires an incomplete subscription, as Stripe does 23 hours after creation. */
    expireSubscription: (id: string) => billing.expireSubscription(id),
    /**
     * Pays a Checkout Session as on its page.
     * @returns the URL that the browser visits next.
     * @throws StripeApiError if the card is declined.
     */
    payCheckoutSession: (session: string, number: string, email = 'ana@example.org') =>
      checkout.paySession(session, number, email),
    getCheckoutSession: (id: string) => checkout.getSession(id),
    createRefund: (intent: string, amount?: number) =>
      refundsAndDisputes.createRefund(intent, amount),
    failRefund: (id: string) => refundsAndDisputes.failRefund(id),
    openDispute: (intent: string) => refundsAndDisputes.openDispute(intent),
    closeDispute: (id: string, status: 'won' | 'lost') =>
      refundsAndDisputes.closeDispute(id, status),
    /**
     * Fails the next calls with this status without processing them. A 500 is saved under its
     * idempotency key, as Stripe does; errors of an edge server (429, 502, 503) are not.
     */
    failCalls: (status: number, count = 1, path?: RegExp) => faults.failCalls(status, count, path),
    /** Does the same after skipping some calls. */
    failCallsAfter: (skip: number, status: number, count = 1, path?: RegExp) =>
      faults.failCalls(status, count, path, skip),
    /** Forbids calls such as `POST /v1/customers`, as for a restricted key. */
    forbidCalls: (path: RegExp) => faults.forbid(path),
    /** Holds the next call, with its idempotency key in use, until it is released. */
    holdNextCall: () => faults.holdNextCall(),
    /** Forgets all idempotency keys, as Stripe does after a day or more. */
    clearIdempotencyKeys: () => api.idempotency.clear(),
    /**
     * Sends events to a webhook, signed as Stripe signs them.
     * @returns the response statuses.
     */
    deliverEvents: (url: string, options?: DeliveryOptions) => events.deliver(url, options),
  };
}
