import type { Stripe } from 'stripe';
import {
  buildInvoice,
  buildInvoicePayment,
  buildPrice,
  buildSubscription,
  getPeriodEnd,
  type NewSubscription,
  type Recurring,
} from './billing-objects.ts';
import type { EventLog } from './events.ts';
import { getReferencedId } from './ids.ts';
import type { ActivatedTypes } from './payment-method-types.ts';
import type { Payments } from './payments.ts';
import type { Store } from './store.ts';
import { createInvalidRequestError, createMissingError } from './stripe-error.ts';

export interface BillingOptions {
  readonly store: Store;
  readonly events: EventLog;
  readonly payments: Payments;
  readonly activatedTypes: ActivatedTypes;
  /**
   * Status of a subscription until its first bank debit settles. Stripe's documentation and Stripe
   * users report both values.
   */
  readonly statusWhileProcessing: 'active' | 'incomplete';
}

/**
 * Number of failed attempts after which a subscription ends. Four is a common setting in the
 * Dashboard ("Manage failed payments").
 */
const MAX_ATTEMPTS = 4;
/** Seconds until a new, unpaid subscription expires (docs.stripe.com/billing/subscriptions). */
const INCOMPLETE_LIFETIME = 23 * 3_600;
/** Seconds between a failed renewal and the next attempt. */
const RETRY_DELAY = 259_200;
const FINAL_STATUSES = ['canceled', 'incomplete_expired'];

/** Manages subscriptions and their invoices, and updates both when a payment changes. */
export class Billing {
  readonly #options: BillingOptions;

  constructor(options: BillingOptions) {
    this.#options = options;
    options.payments.addChangeListener((intent) => {
      const invoice = this.findInvoice(intent.id);
      if (invoice && intent.status === 'succeeded') this.#markPaid(invoice);
      else if (invoice && intent.status === 'processing') this.#markProcessing(invoice);
      else if (invoice) this.#markFailed(invoice, intent);
    });
  }

  /** Creates a subscription with an open first invoice. */
  createSubscription(fields: NewSubscription, price: Stripe.Price): Stripe.Subscription {
    const { store, events } = this.#options;
    const subscription = store.saveObject(buildSubscription(fields, price, store.now));
    const firstInvoice = this.#createInvoice(subscription, 'subscription_create');
    store.scheduleTask('expire-subscription', subscription.id, store.now + INCOMPLETE_LIFETIME);
    events.recordEvent('customer.subscription.created', subscription);
    this.#addInvoiceEvents(firstInvoice);
    return subscription;
  }

  /** Finds the invoice that a payment intent pays. */
  findInvoice(intentId: string): Stripe.Invoice | undefined {
    const { store } = this.#options;
    const [payment] = store.listObjectsByField(
      'invoice_payment',
      'payment.payment_intent',
      intentId,
    );
    return payment && store.getObject('invoice', getReferencedId(payment.invoice));
  }

  getPaymentIntent(invoice: Stripe.Invoice): Stripe.PaymentIntent {
    const { payment } = this.#getInvoicePayment(invoice);
    return this.#options.store.getObject('payment_intent', getReferencedId(payment.payment_intent));
  }

  #getInvoicePayment({ payments }: Stripe.Invoice): Stripe.InvoicePayment {
    return this.#options.store.getObject('invoice_payment', getReferencedId(payments?.data[0]));
  }

  /** Bills the next period. If the latest invoice is still open, retries that invoice instead. */
  renewSubscription(id: string): Stripe.Invoice {
    const { store, payments, events } = this.#options;
    const subscription = this.#getUnfinishedSubscription(id);
    const item = subscription.items.data[0]!;
    let invoice = store.getObject('invoice', getReferencedId(subscription.latest_invoice));
    if (subscription.status === 'incomplete')
      throw new Error(`${id} is waiting for its first payment.`);
    if (invoice.status !== 'open') {
      if (subscription.cancel_at_period_end) {
        this.#endSubscription(subscription, 'canceled', 'cancellation_requested');
        return invoice;
      }
      const previous = { items: structuredClone(subscription.items) };
      item.current_period_start = item.current_period_end;
      item.current_period_end = getPeriodEnd(
        item.current_period_start,
        item.price.recurring,
        subscription.billing_cycle_anchor,
      );
      invoice = this.#createInvoice(subscription, 'subscription_cycle');
      events.recordEvent('customer.subscription.updated', subscription, previous);
      this.#addInvoiceEvents(invoice);
    }
    if (subscription.pause_collection) {
      this.#voidOpenInvoice(invoice);
      store.scheduleTask('renew-subscription', id, item.current_period_end);
      return invoice;
    }
    const methodId = subscription.default_payment_method;
    if (methodId === null) this.#markFailed(invoice, this.getPaymentIntent(invoice));
    else payments.chargeOffSession(this.getPaymentIntent(invoice), getReferencedId(methodId));
    return invoice;
  }

  /** Changes the card that future invoices charge. */
  changeCard(id: string, number: string): Stripe.Subscription {
    const subscription = this.#getUnfinishedSubscription(id);
    const previous = { default_payment_method: subscription.default_payment_method };
    subscription.default_payment_method = this.#options.payments.createPaymentMethod(
      number,
      getReferencedId(subscription.customer),
    ).id;
    this.#options.events.recordEvent('customer.subscription.updated', subscription, previous);
    return subscription;
  }

  /** Changes the amount of future invoices, as merchants do in the Dashboard. */
  changeAmount(id: string, unitAmount: number): Stripe.Subscription {
    const { store, events } = this.#options;
    const subscription = this.#getUnfinishedSubscription(id);
    const item = subscription.items.data[0]!;
    const { currency, product, recurring } = item.price;
    const previous = { items: structuredClone(subscription.items) };
    item.price = store.saveObject(
      buildPrice(
        {
          currency,
          product: getReferencedId(product),
          unit_amount: unitAmount,
          recurring: recurring as Recurring,
        },
        store.now,
      ),
    );
    events.recordEvent('customer.subscription.updated', subscription, previous);
    return subscription;
  }

  /**
   * Pauses or resumes payment collection, as merchants do in the Dashboard. While collection is
   * paused, each renewal voids its invoice instead of charging it.
   */
  setCollectionPaused(id: string, isPaused: boolean): Stripe.Subscription {
    const subscription = this.#getUnfinishedSubscription(id);
    const previous = { pause_collection: subscription.pause_collection };
    subscription.pause_collection = isPaused ? { behavior: 'void', resumes_at: null } : null;
    this.#options.events.recordEvent('customer.subscription.updated', subscription, previous);
    return subscription;
  }

  /**
   * Cancels a subscription. If the first invoice is open and no bank debit is processing, voids the
   * invoice.
   */
  cancelSubscription(id: string, { atPeriodEnd = false } = {}): Stripe.Subscription {
    const { store, events } = this.#options;
    const subscription = this.#getUnfinishedSubscription(id);
    if (atPeriodEnd) {
      Object.assign(subscription, {
        cancel_at_period_end: true,
        canceled_at: store.now,
        cancel_at: subscription.items.data[0]!.current_period_end,
      } satisfies Partial<Stripe.Subscription>);
      events.recordEvent('customer.subscription.updated', subscription, {
        cancel_at_period_end: false,
        canceled_at: null,
        cancel_at: null,
      });
      return subscription;
    }
    const wasIncomplete = subscription.status === 'incomplete';
    if (wasIncomplete) this.#voidLatestInvoice(subscription);
    this.#endSubscription(
      subscription,
      wasIncomplete ? 'incomplete_expired' : 'canceled',
      'cancellation_requested',
    );
    return subscription;
  }

  /** Expires an incomplete subscription, as Stripe does 23 hours after creation. */
  expireSubscription(id: string): Stripe.Subscription {
    const subscription = this.#getUnfinishedSubscription(id);
    if (subscription.status !== 'incomplete') throw new Error(`${id} is not incomplete.`);
    this.#voidLatestInvoice(subscription);
    this.#setStatus(subscription, 'incomplete_expired');
    return subscription;
  }

  #getUnfinishedSubscription(id: string): Stripe.Subscription {
    const subscription = this.#options.store.getObject('subscription', id);
    if (FINAL_STATUSES.includes(subscription.status))
      throw createMissingError(404, 'subscription', id, 'id');
    return subscription;
  }

  #createInvoice(
    subscription: Stripe.Subscription,
    reason: 'subscription_create' | 'subscription_cycle',
  ): Stripe.Invoice {
    const { store, payments } = this.#options;
    const invoice = store.saveObject(
      buildInvoice(
        subscription,
        store.getObject('customer', getReferencedId(subscription.customer)),
        reason,
        store.now,
      ),
    );
    const savesMethod =
      subscription.payment_settings?.save_default_payment_method === 'on_subscription';
    const types = subscription.payment_settings?.payment_method_types ?? null;
    const intent = payments.createIntent({
      amount: invoice.amount_due,
      currency: invoice.currency,
      customer: invoice.customer,
      description:
        reason === 'subscription_create' ? 'Subscription creation' : 'Subscription update',
      metadata: {},
      receipt_email: null,
      allowed_payment_method_types: null,
      payment_method_options: null,
      payment_method_types: this.#options.activatedTypes.assertUsableTypes(invoice.currency, types),
      setup_future_usage: savesMethod && reason === 'subscription_create' ? 'off_session' : null,
    });
    invoice.payments = {
      object: 'list',
      has_more: false,
      url: `/v1/invoice_payments?invoice=${invoice.id}`,
      // Stored lists contain only IDs. `toResponseObject` replaces the IDs with objects.
      data: [
        store.saveObject(buildInvoicePayment(invoice, intent.id, store.now))
          .id as unknown as Stripe.InvoicePayment,
      ],
    };
    invoice.confirmation_secret = { client_secret: intent.client_secret!, type: 'payment_intent' };
    subscription.latest_invoice = invoice.id;
    return invoice;
  }

  #addInvoiceEvents(invoice: Stripe.Invoice): void {
    this.#options.events.recordEvent('invoice.created', invoice);
    this.#options.events.recordEvent('invoice.finalized', invoice);
  }

  #getSubscription({ parent }: Stripe.Invoice): Stripe.Subscription {
    return this.#options.store.getObject(
      'subscription',
      getReferencedId(parent?.subscription_details?.subscription),
    );
  }

  #markPaid(invoice: Stripe.Invoice): void {
    const { store, events } = this.#options;
    const { now: paid_at } = store;
    const payment = this.#getInvoicePayment(invoice);
    const subscription = this.#getSubscription(invoice);
    Object.assign(invoice, {
      status: 'paid',
      amount_paid: invoice.amount_due,
      amount_remaining: 0,
      attempted: true,
      attempt_count: invoice.attempt_count + 1,
      next_payment_attempt: null,
      status_transitions: { ...invoice.status_transitions, paid_at },
    } satisfies Partial<Stripe.Invoice>);
    Object.assign(payment, {
      status: 'paid',
      amount_paid: invoice.amount_due,
      status_transitions: { canceled_at: null, paid_at },
    } satisfies Partial<Stripe.InvoicePayment>);
    this.#saveDefaultPaymentMethod(subscription, invoice);
    this.#setStatus(subscription, 'active');
    store.cancelTask('expire-subscription', subscription.id);
    if (!FINAL_STATUSES.includes(subscription.status))
      store.scheduleTask(
        'renew-subscription',
        subscription.id,
        subscription.items.data[0]!.current_period_end,
      );
    events.recordEvent('invoice.paid', invoice);
    events.recordEvent('invoice.payment_succeeded', invoice);
    events.recordEvent('invoice_payment.paid', payment);
  }

  #markProcessing(invoice: Stripe.Invoice): void {
    const subscription = this.#getSubscription(invoice);
    invoice.attempted = true;
    this.#options.store.cancelTask('expire-subscription', subscription.id);
    this.#saveDefaultPaymentMethod(subscription, invoice);
    if (subscription.status === 'incomplete')
      this.#setStatus(subscription, this.#options.statusWhileProcessing);
  }

  #markFailed(invoice: Stripe.Invoice, { last_payment_error }: Stripe.PaymentIntent): void {
    const { store, events } = this.#options;
    const subscription = this.#getSubscription(invoice);
    const isRenewal = invoice.billing_reason === 'subscription_cycle';
    const attempts = invoice.attempt_count + 1;
    const isLast = isRenewal && attempts >= MAX_ATTEMPTS;
    Object.assign(invoice, {
      attempted: true,
      attempt_count: attempts,
      next_payment_attempt: isRenewal && !isLast ? store.now + RETRY_DELAY : null,
    } satisfies Partial<Stripe.Invoice>);
    events.recordEvent('invoice.payment_failed', invoice);
    if (last_payment_error?.code === 'authentication_required')
      events.recordEvent('invoice.payment_action_required', invoice);
    if (FINAL_STATUSES.includes(subscription.status)) return;
    if (isRenewal && !isLast)
      store.scheduleTask('renew-subscription', subscription.id, store.now + RETRY_DELAY);
    if (isLast) this.#endSubscription(subscription, 'canceled', 'payment_failed');
    else if (subscription.status === 'active') this.#setStatus(subscription, 'past_due');
  }

  #saveDefaultPaymentMethod(subscription: Stripe.Subscription, invoice: Stripe.Invoice): void {
    if (
      subscription.payment_settings?.save_default_payment_method !== 'on_subscription' ||
      subscription.default_payment_method !== null
    )
      return;
    const { store } = this.#options;
    const intent = this.getPaymentIntent(invoice);
    const details = store.getObject(
      'charge',
      getReferencedId(intent.latest_charge),
    ).payment_method_details;
    subscription.default_payment_method =
      (details?.ideal ?? details?.bancontact)?.generated_sepa_debit ?? intent.payment_method;
  }

  #setStatus(subscription: Stripe.Subscription, status: Stripe.Subscription.Status): void {
    const previous = subscription.status;
    if (previous === status || FINAL_STATUSES.includes(previous)) return;
    subscription.status = status;
    this.#options.events.recordEvent('customer.subscription.updated', subscription, {
      status: previous,
    });
  }

  #endSubscription(
    subscription: Stripe.Subscription,
    status: 'canceled' | 'incomplete_expired',
    reason: 'cancellation_requested' | 'payment_failed',
  ): void {
    const { store, events } = this.#options;
    store.cancelTask('renew-subscription', subscription.id);
    store.cancelTask('expire-subscription', subscription.id);
    Object.assign(subscription, {
      status,
      canceled_at: subscription.canceled_at ?? store.now,
      ended_at: store.now,
      cancellation_details: { comment: null, feedback: null, feedback_option: null, reason },
    } satisfies Partial<Stripe.Subscription>);
    events.recordEvent('customer.subscription.deleted', subscription);
  }

  /** Voids an open invoice. */
  voidInvoice(id: string): Stripe.Invoice {
    const invoice = this.#options.store.getObject('invoice', id);
    if (invoice.status !== 'open')
      throw createInvalidRequestError(
        "You can only pass in open invoices. This invoice isn't open.",
        {
          code: 'invoice_not_editable',
        },
      );
    this.#voidOpenInvoice(invoice);
    return invoice;
  }

  #voidLatestInvoice(subscription: Stripe.Subscription): void {
    const invoice = this.#options.store.getObject(
      'invoice',
      getReferencedId(subscription.latest_invoice),
    );
    if (this.getPaymentIntent(invoice).status !== 'processing') this.#voidOpenInvoice(invoice);
  }

  #voidOpenInvoice(invoice: Stripe.Invoice): void {
    const { store, events, payments } = this.#options;
    const intent = this.getPaymentIntent(invoice);
    const { now } = store;
    const payment = this.#getInvoicePayment(invoice);
    Object.assign(invoice, {
      status: 'void',
      status_transitions: { ...invoice.status_transitions, voided_at: now },
    } satisfies Partial<Stripe.Invoice>);
    Object.assign(payment, {
      status: 'canceled',
      status_transitions: { canceled_at: now, paid_at: null },
    } satisfies Partial<Stripe.InvoicePayment>);
    events.recordEvent('invoice.voided', invoice);
    payments.cancelIntent(intent.id, 'void_invoice');
  }
}
