import type { Stripe } from 'stripe';
import { Database } from '../data/database.ts';
import { Mailbox } from '../data/mailbox.ts';
import { Faults } from '../lib/faults.ts';
import { getRequestOrigin } from '../lib/request-parsing.ts';
import { ScriptedFaults } from '../lib/scripted-faults.ts';
import { Account } from './account.ts';
import { Api } from './api.ts';
import { Billing } from './billing.ts';
import { addBillingRoutes } from './billing-routes.ts';
import { Checkout } from './checkout.ts';
import { addCheckoutRoutes } from './checkout-routes.ts';
import { type DeliveryOptions, EventLog } from './events.ts';
import { getReferencedId } from './ids.ts';
import { createPages } from './pages.ts';
import { ActivatedTypes } from './payment-method-types.ts';
import { type Pricing, US_PRICING } from './payment-objects.ts';
import { addPaymentRoutes } from './payment-routes.ts';
import { Payments } from './payments.ts';
import { Portal } from './portal.ts';
import { RefundsAndDisputes } from './refunds-and-disputes.ts';
import { Store, type Task } from './store.ts';

export interface StripeEmulatorOptions {
  /** Path at which the emulator is mounted, such as `/stripe`. Default: the root path. */
  readonly basePath?: string;
  /** Default: in memory. */
  readonly database?: Database;
  readonly secretKey?: string;
  readonly publishableKey?: string;
  readonly webhookSecret?: string;
  /** Status of a subscription until its first bank debit settles. Default: `active`. */
  readonly statusWhileProcessing?: 'active' | 'incomplete';
  /**
   * If true, the account has a default portal configuration, as if the merchant had saved the
   * portal settings in the Dashboard.
   */
  readonly hasDefaultPortalConfiguration?: boolean;
  /** Fees of the account. Default: those of a US account. */
  readonly pricing?: Pricing;
  /** Callback for each new event. Runs in the transaction that adds the event. */
  readonly onEvent?: (event: Stripe.Event) => void;
  /** Default: none. */
  readonly faults?: Faults;
  /** Delay of the slow test card, in milliseconds. Default: 10,000. */
  readonly slowCardDelay?: number;
  /** Returns the current time in Unix milliseconds. */
  readonly now?: () => number;
}

export type StripeEmulator = ReturnType<typeof createStripeEmulator>;

/**
 * Emulates Stripe's HTTP API, and the pages and browser script that Stripe serves. The emulator is
 * based on Stripe's public documentation and types, and rejects the calls that Stripe rejects. It
 * needs no network or account, and moves no money.
 */
export function createStripeEmulator({
  basePath = '',
  database = new Database(),
  secretKey = 'sk_test_sandbox',
  publishableKey = 'pk_test_sandbox',
  webhookSecret = 'whsec_sandbox',
  statusWhileProcessing = 'active',
  hasDefaultPortalConfiguration = false,
  pricing = US_PRICING,
  onEvent = () => undefined,
  faults: sandboxFaults = new Faults(),
  slowCardDelay = 10_000,
  now = Date.now,
}: StripeEmulatorOptions = {}) {
  let baseUrl = '';
  const getBaseUrl = (): string => baseUrl;
  const mailbox = new Mailbox(database);
  const store = new Store(database, now);
  const faults = new ScriptedFaults();
  const events = new EventLog(store, webhookSecret, onEvent);
  const activatedTypes = new ActivatedTypes(sandboxFaults);
  const payments = new Payments({
    store,
    events,
    activatedTypes,
    pricing,
    getBaseUrl,
    faults: sandboxFaults,
    mailbox,
  });
  const refundsAndDisputes = new RefundsAndDisputes(store, events);
  const billing = new Billing({ store, events, payments, activatedTypes, statusWhileProcessing });
  const checkout = new Checkout({ store, events, payments, billing, getBaseUrl });
  const api = new Api({
    store,
    faults,
    secretKey,
    publishableKey,
    slowCardDelay,
    findTestMethod: (params) => {
      const { confirmation_token: token } = params as { confirmation_token?: unknown };
      return typeof token === 'string' ? store.getInternalRecord('test-method', token) : undefined;
    },
  });
  addPaymentRoutes(api, store, payments, activatedTypes);
  addBillingRoutes({ api, store, events, billing, activatedTypes });
  addCheckoutRoutes(api, store, checkout, activatedTypes);
  const account = new Account(api, activatedTypes);
  const portal = new Portal({ api, store, getBaseUrl });
  if (
    hasDefaultPortalConfiguration &&
    store.listObjects('billing_portal.configuration').length === 0
  )
    store.runInTransaction(() => portal.addConfiguration(true));
  api.app.route(
    '/',
    createPages({
      store,
      payments,
      checkout,
      billing,
      portal,
      mailbox,
      faults: sandboxFaults,
      getBaseUrl,
      slowCardDelay,
    }),
  );

  /** Runs the given function in a separate transaction. */
  const control =
    <Args extends unknown[], Result>(run: (...args: Args) => Result) =>
    (...args: Args): Result =>
      store.runInTransaction(() => run(...args));

  const getReference = ({ metadata, payment_intent }: Stripe.Charge): string | undefined =>
    metadata.donation_form_reference ??
    billing.findInvoice(getReferencedId(payment_intent))?.parent?.subscription_details?.metadata
      ?.donation_form_reference;

  const listCharges = (reference: string): Stripe.Charge[] => {
    const customers = store
      .listObjectsByField('subscription', 'metadata.donation_form_reference', reference)
      .map(({ customer }) => getReferencedId(customer));
    const charges =
      customers.length === 0
        ? store.listObjectsByField('charge', 'metadata.donation_form_reference', reference)
        : [...new Set(customers)].flatMap((id) =>
            store.listObjectsByField('charge', 'customer', id),
          );
    return charges.filter((charge) => charge.captured && getReference(charge) === reference);
  };

  const runTask = ({ kind, id }: Task): void => {
    if (kind === 'settle-debit') payments.settleDebit(id, true);
    else if (kind === 'open-dispute') refundsAndDisputes.openDispute(id);
    else if (kind === 'renew-subscription') billing.renewSubscription(id);
    else if (kind === 'expire-subscription') billing.expireSubscription(id);
    else checkout.getSession(id);
  };

  return {
    /** Handles a request whose URL does not include the base path. */
    fetch: (request: Request): Response | Promise<Response> => {
      baseUrl = `${getRequestOrigin(request)}${basePath}`;
      return api.app.fetch(request);
    },
    secretKey,
    publishableKey,
    webhookSecret,
    store,
    /** API calls received so far, such as `POST /v1/payment_intents`. */
    calls: api.calls,
    /**
     * Runs all due tasks in chronological order: settles debits, renews and expires subscriptions,
     * expires sessions, and opens disputes for the dispute test card.
     */
    runScheduledTasks: (): void => {
      while (store.runNextDueTask(runTask));
    },
    /** Adds a webhook endpoint, as merchants do in the Dashboard. */
    addWebhookEndpoint: account.addWebhookEndpoint.bind(account),
    get events(): Stripe.Event[] {
      return events.all;
    },
    /**
     * Creates a confirmation token, as Stripe.js does in a browser, and returns its ID.
     * @param number a key of `TEST_PAYMENT_METHODS`.
     * @param options.isRecurring true if Elements is in subscription mode.
     */
    createConfirmationToken: control(
      (number: string, { isRecurring = false } = {}): string =>
        payments.createConfirmationToken(number, {}, isRecurring ? 'off_session' : null).id,
    ),
    /** Deactivates a payment method type, as merchants do in the Dashboard. */
    deactivatePaymentMethodType: (type: string) => activatedTypes.deactivateType(type),
    /** Registers a domain for wallets, as merchants do in the Dashboard. */
    addPaymentMethodDomain: account.addPaymentMethodDomain.bind(account),
    /** Archives a product, as merchants do in the Dashboard. */
    archiveProduct: control((id: string) =>
      Object.assign(store.getObject('product', id), { active: false }),
    ),
    listPaymentIntents: (): Stripe.PaymentIntent[] => store.listObjects('payment_intent'),
    /**
     * Lists the paid charges for the payment or subscription with the given `metadata.donation_form_reference`,
     * oldest first.
     */
    listCharges,
    /** Responds to a payment's authentication page, as the cardholder does. */
    completeAuthentication: control((intent: string, isConfirmed: boolean) =>
      payments.completeAuthentication(intent, isConfirmed),
    ),
    /**
     * Settles a processing bank debit. If the test account is one that fails, makes the debit fail
     * instead.
     */
    settleDebit: control((intent: string) => payments.settleDebit(intent, true)),
    /** Makes a processing bank debit fail. */
    failDebit: control((intent: string) => payments.settleDebit(intent, false)),
    /**
     * Bills the next period. If the latest invoice is still open, retries that invoice instead. The
     * fourth failed attempt ends the subscription.
     */
    renewSubscription: control(billing.renewSubscription.bind(billing)),
    /** Changes the card that future invoices charge. */
    changeCard: control(billing.changeCard.bind(billing)),
    /** Changes the amount of a subscription's future invoices. */
    changeSubscriptionAmount: control(billing.changeAmount.bind(billing)),
    /**
     * Pauses or resumes payment collection. While collection is paused, each renewal voids its
     * invoice instead of charging it.
     */
    setCollectionPaused: control(billing.setCollectionPaused.bind(billing)),
    /**
     * Cancels a subscription, as donors do in the portal: immediately, or at the end of the paid
     * period.
     */
    cancelSubscription: control(billing.cancelSubscription.bind(billing)),
    /** Expires an incomplete subscription, as Stripe does 23 hours after creation. */
    expireSubscription: control(billing.expireSubscription.bind(billing)),
    /**
     * Pays a Checkout Session, as the button on the payment page does.
     * @returns the URL of the browser's next page.
     * @throws StripeApiError if the card is declined.
     */
    payCheckoutSession: control((session: string, number: string, email?: string) =>
      checkout.paySession(session, number, email ?? 'ana@example.org'),
    ),
    getCheckoutSession: control(checkout.getSession.bind(checkout)),
    /** Refunds a charge. Default amount: the entire remaining amount. */
    createRefund: control(refundsAndDisputes.createRefund.bind(refundsAndDisputes)),
    failRefund: control(refundsAndDisputes.failRefund.bind(refundsAndDisputes)),
    openDispute: control(refundsAndDisputes.openDispute.bind(refundsAndDisputes)),
    closeDispute: control(refundsAndDisputes.closeDispute.bind(refundsAndDisputes)),
    /**
     * Makes the next calls fail with the given status code without processing them. Like Stripe,
     * saves a 500 response under the call's idempotency key, but does not save the errors of an
     * edge server (429, 502, and 503).
     */
    failCalls: (status: number, count = 1, path?: RegExp) => faults.failCalls(status, count, path),
    /**
     * Processes the first `skip` matching calls normally, and makes the next `count` matching calls
     * fail with the given status code.
     */
    failCallsAfter: (skip: number, status: number, count = 1, path?: RegExp) =>
      faults.failCalls(status, count, path, skip),
    /**
     * Rejects matching calls, such as `POST /v1/customers`, as if the API key lacked the required
     * permission.
     */
    forbidCalls: (path: RegExp) => faults.forbidCalls(path),
    /**
     * Holds the next call until the test calls `release`. Until then, the call's idempotency key is
     * in use.
     */
    holdNextCall: () => faults.holdNextCall(),
    /** Deletes all idempotency keys, as Stripe does after a day or more. */
    clearIdempotencyKeys: () => api.idempotency.deleteAllKeys(),
    /**
     * Sends events to a webhook, with the same kind of signatures as Stripe.
     * @returns the HTTP status codes of the responses.
     */
    deliverEvents: (url: string, options?: DeliveryOptions) => events.deliverEvents(url, options),
  };
}
