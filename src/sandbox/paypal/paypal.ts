import type { Hono } from 'hono';
import { Faults } from '../lib/faults.ts';
import { ScriptedFaults } from '../lib/scripted-faults.ts';
import { DeliveryQueue } from '../webhooks/delivery-queue.ts';
import { AccessTokens } from './access-tokens.ts';
import { Api } from './api.ts';
import { addCatalogRoutes, addSubscriptionRoutes } from './billing-routes.ts';
import { Catalog } from './catalog.ts';
import { getSigningKey } from './certificate.ts';
import type { PayPalContext } from './context.ts';
import { addDisputeRoutes } from './dispute-routes.ts';
import { Disputes } from './disputes.ts';
import { runDueTasks } from './due-tasks.ts';
import { EventLog } from './events.ts';
import { IdempotencyKeys } from './idempotency.ts';
import type { Amount } from './money.ts';
import { addOrderRoutes } from './order-routes.ts';
import { type ApprovalOptions, Orders } from './orders.ts';
import { createPages } from './pages/pages.ts';
import { addPaymentRoutes } from './payment-routes.ts';
import { Payments } from './payments.ts';
import type { Dispute, Payment } from './records.ts';
import { addReportingRoutes } from './reporting-routes.ts';
import { CERTIFICATE_PATH } from './signature.ts';
import { Store } from './store.ts';
import { Subscriptions } from './subscriptions.ts';
import { addWebhookRoutes } from './webhook-routes.ts';
import { type DeliveryOptions, Webhooks } from './webhooks.ts';

export interface PayPalOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Path at which the app is mounted, such as `/paypal`. Default: the root path. */
  readonly basePath?: string;
  /** ISO 3166-1 code of the seller's country. Default: `US`. */
  readonly country?: string;
  /** URL and ID of the webhook that receives the events. */
  readonly webhook?: { readonly id: string; readonly url: string } | undefined;
  /** If true, webhook URLs can be on other machines. */
  readonly allowRemoteWebhooks?: boolean;
  /** Delays before each webhook retry, in milliseconds. */
  readonly webhookRetryDelays?: readonly number[] | undefined;
  /**
   * Delay before a payment appears in the transaction search, in milliseconds. PayPal's own delay
   * is up to three hours. Default: 0.
   */
  readonly reportingDelay?: number;
  /**
   * If true, an order's refunds include payments that PayPal reversed. PayPal does not document its
   * behavior. Default: false.
   */
  readonly listsReversals?: boolean;
  readonly faults?: Faults;
  readonly now?: () => Date;
}

/** Emulator of PayPal's REST API and of the pages that buyers visit. */
export type PayPal = ReturnType<typeof createPayPal>;

/**
 * Creates an emulator of the parts of PayPal that a donation form needs. The emulator is based on
 * PayPal's OpenAPI files (github.com/paypal/paypal-rest-api-specifications) and the documentation
 * at developer.paypal.com, but has never been compared with PayPal itself. The emulator needs no
 * network or account, stores its data in memory, and moves no money.
 */
export function createPayPal({
  clientId,
  clientSecret,
  basePath = '',
  country = 'US',
  webhook,
  allowRemoteWebhooks = false,
  webhookRetryDelays,
  reportingDelay = 0,
  listsReversals = false,
  faults = new Faults(),
  now = () => new Date(),
}: PayPalOptions) {
  const store = new Store();
  const scriptedFaults = new ScriptedFaults();
  const keys = new IdempotencyKeys(now);
  const tokens = new AccessTokens({ clientId, clientSecret, now });
  const api = new Api({ basePath, tokens, keys, faults, scriptedFaults });
  const getBaseUrl = (): string => api.baseUrl;
  // PayPal's timestamps have no fractions of a second.
  let taskTime: string | undefined;
  const getTime = (): string =>
    taskTime ??
    now()
      .toISOString()
      .replace(/\.\d+Z$/, 'Z');
  const events = new EventLog({ getBaseUrl, getTime });
  const context: PayPalContext = { store, events, faults, country, getBaseUrl, getTime };
  const payments = new Payments(context);
  const orders = new Orders(context, payments, { listsReversals });
  const disputes = new Disputes(context, payments);
  const catalog = new Catalog(context);
  const subscriptions = new Subscriptions(context, payments);
  const queue = new DeliveryQueue({ faults, target: 'paypal', retryDelays: webhookRetryDelays });
  const webhooks = new Webhooks({
    events,
    queue,
    allowRemote: allowRemoteWebhooks,
    getBaseUrl,
  });
  if (webhook) webhooks.addWebhook({ ...webhook, eventTypes: ['*'] });
  addOrderRoutes(api, orders);
  addPaymentRoutes(api, context, payments);
  addDisputeRoutes(api, context, disputes);
  addCatalogRoutes(api, context, catalog);
  addSubscriptionRoutes(api, context, subscriptions);
  addWebhookRoutes(api, events, webhooks);
  addReportingRoutes(api, context, { delay: reportingDelay });
  const app: Hono = api.app;
  app.get(CERTIFICATE_PATH, (c) =>
    c.body(getSigningKey().certificate, 200, { 'Content-Type': 'application/x-pem-file' }),
  );
  app.route(
    '/',
    createPages({
      basePath,
      approvalPages: [
        { path: '/checkoutnow', parameter: 'token', find: (id) => orders.findApproval(id) },
        {
          path: '/webapps/billing/subscriptions',
          parameter: 'ba_token',
          find: (token) => subscriptions.findApproval(token),
        },
      ],
      automaticPayments: {
        list: (email) => subscriptions.listAutomaticPayments(email),
        cancel: (id) => {
          subscriptions.cancelSubscription(id, 'Canceled by the buyer.');
        },
      },
    }),
  );

  return {
    app,
    clientId,
    clientSecret,
    /** API calls received so far, such as `POST /v2/checkout/orders`. */
    calls: api.calls,
    get events() {
      return events.all;
    },
    /** Approves an order, as the buyer does on the approval page. */
    approveOrder: (id: string, options?: ApprovalOptions) => {
      orders.approveOrder(id, options);
    },
    /** Declines the next captures of approved orders, one capture for each given issue. */
    declineNext: (...issues: readonly string[]) => {
      orders.declineNextCaptures(...(issues.length > 0 ? issues : ['INSTRUMENT_DECLINED']));
    },
    /** Removes an order, as PayPal does if the order is not approved and captured in time. */
    expireOrder: (id: string) => {
      orders.expireOrder(id);
    },
    /** Lists the captures and subscription payments with the given `custom_id`, oldest first. */
    listCaptures: (reference: string): Payment[] =>
      store.listRecords('payment').filter(({ customId }) => customId === reference),
    /**
     * Returns a capture or subscription payment.
     * @throws NotFoundError if no capture or subscription payment has the given ID.
     */
    getPayment: (id: string): Payment => store.getRecord('payment', id),
    /** Clears a pending eCheck. */
    settlePending: (capture: string) => {
      payments.settleECheck(capture, 'COMPLETED');
    },
    /** Declines a pending eCheck. */
    declinePending: (capture: string) => {
      payments.settleECheck(capture, 'DECLINED');
    },
    /** Refunds a payment, as the seller can in their PayPal account. */
    createRefund: (payment: string, amount?: Amount) =>
      payments.refundPayment(store.getRecord('payment', payment), { amount }),
    failRefund: (id: string) => {
      payments.failRefund(id);
    },
    /** Reverses a payment in the buyer's favor, as PayPal does after a chargeback. */
    reversePayment: (payment: string) =>
      payments.reversePayment(store.getRecord('payment', payment), 'CHARGEBACK'),
    /** Opens a dispute about a payment, as the buyer does. */
    openDispute: (payment: string, reason?: Dispute['reason']) =>
      disputes.openDispute(payment, reason),
    /** Lists a payment's disputes, newest first. */
    listDisputes: (payment: string) => disputes.listDisputes(payment),
    /**
     * Closes a dispute. If the seller loses, reverses the part of the payment that has not been
     * refunded.
     */
    closeDispute: (id: string, outcome: 'won' | 'lost') => {
      disputes.closeDispute(id, outcome);
    },
    /** Approves a subscription, as the buyer does on the approval page. */
    approveSubscription: (id: string, options?: ApprovalOptions) => {
      subscriptions.approveSubscription(id, options);
    },
    /** Changes the amount of a subscription's future payments. */
    changeSubscriptionAmount: (id: string, units: number) => {
      subscriptions.changeAmount(id, units);
    },
    /** Bills the next period of a subscription. */
    renewSubscription: (id: string) => subscriptions.renewSubscription(id),
    /**
     * Bills the next period with a payment that fails. Suspends the subscription when the number of
     * failures reaches the plan's threshold.
     */
    failRenewal: (id: string) => {
      subscriptions.failRenewal(id);
    },
    /** Suspends a subscription, as the seller can in their PayPal account. */
    suspendSubscription: (id: string) => {
      subscriptions.suspendSubscription(id);
    },
    /** Clears all due eChecks, and renews all due subscriptions. */
    runDueTasks: () => {
      runDueTasks(context, payments, subscriptions, (time, run) => {
        taskTime = time;
        try {
          run();
        } finally {
          taskTime = undefined;
        }
      });
    },
    /** Cancels a subscription, as the buyer can in their PayPal account. */
    cancelSubscription: (id: string) => {
      subscriptions.cancelSubscription(id);
    },
    /** Ends a subscription, as PayPal does after the last period. */
    expireSubscription: (id: string) => {
      subscriptions.expireSubscription(id);
    },
    /** Adds a webhook, as developers can in PayPal's dashboard. */
    addWebhook: (url: string, eventTypes: readonly string[] = ['*']) =>
      webhooks.addWebhook({ url, eventTypes }),
    /**
     * Sends events to a URL as signed webhooks, and waits for the responses.
     * @returns the HTTP status codes of the responses.
     */
    deliverEvents: (url: string, options?: DeliveryOptions) => webhooks.deliverEvents(url, options),
    /** Creates the headers of a webhook with the given body. */
    createWebhookHeaders: (webhookId: string, body: string, time = new Date()) =>
      webhooks.createHeaders(webhookId, body, time),
    /** Processes the next calls, but drops each connection before sending the response. */
    dropResponses: (count = 1, call?: RegExp) => {
      scriptedFaults.dropResponses(count, call);
    },
    /** Makes the next calls fail with the given status code without processing them. */
    failCalls: (status: number, count = 1, call?: RegExp) => {
      scriptedFaults.failCalls(status, count, call);
    },
    /**
     * Holds the next call until the test calls `release`. Until then, the call's idempotency key is
     * in use.
     */
    holdNextCall: () => scriptedFaults.holdNextCall(),
    /** Deletes all idempotency keys, as PayPal does after the keys expire. */
    clearIdempotencyKeys: () => {
      keys.deleteAllKeys();
    },
    /** Invalidates all access tokens. */
    revokeTokens: () => {
      tokens.revokeAllTokens();
    },
    /** Aborts all pending webhook deliveries. */
    close: () => {
      queue.abortDeliveries();
    },
  };
}
