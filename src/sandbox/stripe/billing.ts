import type { Stripe } from 'stripe';
import {
  buildInvoice,
  buildInvoicePayment,
  getPeriodEnd,
  buildSubscription,
  type NewSubscription,
} from './billing-objects.ts';
import type { EventLog } from './events.ts';
import type { ActivatedTypes } from './payment-method-types.ts';
import type { Payments } from './payments.ts';
import { createMissingError, createInvalidRequestError } from './stripe-error.ts';
import { getId, type Store } from './store.ts';

export interface BillingOptions {
  readonly store: Store;
  readonly events: EventLog;
  readonly payments: Payments;
  readonly activatedTypes: ActivatedTypes;
  /**
   * Status of a subscription while its first bank debit is processing. Stripe's documentation and
   * its users report both.
   */
  readonly statusWhileProcessing: 'active' | 'incomplete';
}

/**
 * Failed attempts before a subscription ends (Dashboard, "Manage failed payments", a common
 * setting).
 */
const MAX_ATTEMPTS = 4;
const FINAL_STATUSES = ['canceled', 'incomplete_expired'];

/** Subscriptions and their invoices, updated by the payments of those invoices. */
export class Billing {
  readonly #options: BillingOptions;

  constructor(options: BillingOptions) {
    this.#options = options;
    options.payments.onChange((intent) => {
      const invoice = this.findInvoice(intent.id);
      if (invoice && intent.status === 'succeeded') this.#markPaid(invoice);
      else if (invoice && intent.status === 'processing') this.#markProcessing(invoice);
      else if (invoice) this.#markFailed(invoice, intent);
    });
  }

  /** Creates a subscription with an open first invoice. */
  createSubscription(fields: NewSubscription, price: Stripe.Price): Stripe.Subscription {
    const { store, events } = this.#options;
    const subscription = store.save(buildSubscription(fields, price, store.now));
    const firstInvoice = this.#createInvoice(subscription, 'subscription_create');
    events.add('customer.subscription.created', subscription);
    this.#addInvoiceEvents(firstInvoice);
    return subscription;
  }

  /** Finds the invoice of a payment intent. */
  findInvoice(intentId: string): Stripe.Invoice | undefined {
    const { store } = this.#options;
    const payment = store
      .list('invoice_payment')
      .find(({ payment }) => payment.payment_intent === intentId);
    return payment && store.get('invoice', getId(payment.invoice));
  }

  getPaymentIntent({ payments }: Stripe.Invoice): Stripe.PaymentIntent {
    return this.#options.store.get(
      'payment_intent',
      getId(payments?.data[0]?.payment.payment_intent),
    );
  }

  /** Bills the next period, or retries the latest invoice if it is still open. */
  renewSubscription(id: string): Stripe.Invoice {
    const { store, payments, events } = this.#options;
    const subscription = this.#getUnfinishedSubscription(id);
    const item = subscription.items.data[0]!;
    let invoice = store.get('invoice', getId(subscription.latest_invoice));
    if (subscription.status === 'incomplete')
      throw new Error(`${id} is waiting for its first payment.`);
    if (invoice.status === 'paid') {
      if (subscription.cancel_at_period_end) {
        this.#endSubscription(subscription, 'canceled', 'cancellation_requested');
        return invoice;
      }
      const previous = { items: structuredClone(subscription.items) };
      item.current_period_start = item.current_period_end;
      item.current_period_end = getPeriodEnd(item.current_period_start, item.price.recurring);
      invoice = this.#createInvoice(subscription, 'subscription_cycle');
      events.add('customer.subscription.updated', subscription, previous);
      this.#addInvoiceEvents(invoice);
    }
    const methodId = subscription.default_payment_method;
    if (methodId === null) this.#markFailed(invoice, this.getPaymentIntent(invoice));
    else payments.chargeOffSession(this.getPaymentIntent(invoice), getId(methodId));
    return invoice;
  }

  /** Changes the card of future invoices. */
  changeCard(id: string, number: string): Stripe.Subscription {
    const subscription = this.#getUnfinishedSubscription(id);
    const previous = { default_payment_method: subscription.default_payment_method };
    subscription.default_payment_method = this.#options.payments.createPaymentMethod(
      number,
      getId(subscription.customer),
    ).id;
    this.#options.events.add('customer.subscription.updated', subscription, previous);
    return subscription;
  }

  /** Cancels a subscription. Voids an open first invoice unless its bank debit is processing. */
  cancelSubscription(id: string, { atPeriodEnd = false } = {}): Stripe.Subscription {
    const { store, events } = this.#options;
    const subscription = this.#getUnfinishedSubscription(id);
    if (atPeriodEnd) {
      Object.assign(subscription, {
        cancel_at_period_end: true,
        canceled_at: store.now,
        cancel_at: subscription.items.data[0]!.current_period_end,
      } satisfies Partial<Stripe.Subscription>);
      events.add('customer.subscription.updated', subscription, {
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
    const subscription = this.#options.store.get('subscription', id);
    if (FINAL_STATUSES.includes(subscription.status))
      throw createMissingError(404, 'subscription', id, 'id');
    return subscription;
  }

  #createInvoice(
    subscription: Stripe.Subscription,
    reason: 'subscription_create' | 'subscription_cycle',
  ): Stripe.Invoice {
    const { store, payments } = this.#options;
    const invoice = store.save(
      buildInvoice(
        subscription,
        store.get('customer', getId(subscription.customer)),
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
      payment_method_types: this.#options.activatedTypes.check(invoice.currency, types),
      setup_future_usage: savesMethod && reason === 'subscription_create' ? 'off_session' : null,
    });
    invoice.payments = {
      object: 'list',
      has_more: false,
      url: `/v1/invoice_payments?invoice=${invoice.id}`,
      data: [store.save(buildInvoicePayment(invoice, intent.id, store.now))],
    };
    invoice.confirmation_secret = { client_secret: intent.client_secret!, type: 'payment_intent' };
    subscription.latest_invoice = invoice.id;
    return invoice;
  }

  #addInvoiceEvents(invoice: Stripe.Invoice): void {
    this.#options.events.add('invoice.created', invoice);
    this.#options.events.add('invoice.finalized', invoice);
  }

  #getSubscription({ parent }: Stripe.Invoice): Stripe.Subscription {
    return this.#options.store.get(
      'subscription',
      getId(parent?.subscription_details?.subscription),
    );
  }

  #markPaid(invoice: Stripe.Invoice): void {
    const { store, events } = this.#options;
    const { now: paid_at } = store;
    const [payment] = invoice.payments!.data;
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
    Object.assign(payment!, {
      status: 'paid',
      amount_paid: invoice.amount_due,
      status_transitions: { canceled_at: null, paid_at },
    } satisfies Partial<Stripe.InvoicePayment>);
    this.#saveDefaultPaymentMethod(subscription, invoice);
    this.#setStatus(subscription, 'active');
    events.add('invoice.paid', invoice);
    events.add('invoice.payment_succeeded', invoice);
    events.add('invoice_payment.paid', payment!);
  }

  #markProcessing(invoice: Stripe.Invoice): void {
    const subscription = this.#getSubscription(invoice);
    invoice.attempted = true;
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
      next_payment_attempt: isRenewal && !isLast ? store.now + 259_200 : null,
    } satisfies Partial<Stripe.Invoice>);
    events.add('invoice.payment_failed', invoice);
    if (last_payment_error?.code === 'authentication_required')
      events.add('invoice.payment_action_required', invoice);
    if (FINAL_STATUSES.includes(subscription.status)) return;
    if (isLast) this.#endSubscription(subscription, 'canceled', 'payment_failed');
    else if (subscription.status === 'active') this.#setStatus(subscription, 'past_due');
  }

  #saveDefaultPaymentMethod(subscription: Stripe.Subscription, { payments }: Stripe.Invoice): void {
    if (
      subscription.payment_settings?.save_default_payment_method !== 'on_subscription' ||
      subscription.default_payment_method !== null
    )
      return;
    const { store } = this.#options;
    const intent = store.get('payment_intent', getId(payments?.data[0]?.payment.payment_intent));
    const details = store.get('charge', getId(intent.latest_charge)).payment_method_details;
    subscription.default_payment_method =
      (details?.ideal ?? details?.bancontact)?.generated_sepa_debit ?? intent.payment_method;
  }

  #setStatus(subscription: Stripe.Subscription, status: Stripe.Subscription.Status): void {
    const previous = subscription.status;
    if (previous === status || FINAL_STATUSES.includes(previous)) return;
    subscription.status = status;
    this.#options.events.add('customer.subscription.updated', subscription, { status: previous });
  }

  #endSubscription(
    subscription: Stripe.Subscription,
    status: 'canceled' | 'incomplete_expired',
    reason: 'cancellation_requested' | 'payment_failed',
  ): void {
    const { store, events } = this.#options;
    Object.assign(subscription, {
      status,
      canceled_at: subscription.canceled_at ?? store.now,
      ended_at: store.now,
      cancellation_details: { comment: null, feedback: null, feedback_option: null, reason },
    } satisfies Partial<Stripe.Subscription>);
    events.add('customer.subscription.deleted', subscription);
  }

  /** Voids an open invoice. */
  voidInvoice(id: string): Stripe.Invoice {
    const invoice = this.#options.store.get('invoice', id);
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
    const invoice = this.#options.store.get('invoice', getId(subscription.latest_invoice));
    if (this.getPaymentIntent(invoice).status !== 'processing') this.#voidOpenInvoice(invoice);
  }

  #voidOpenInvoice(invoice: Stripe.Invoice): void {
    const { store, events, payments } = this.#options;
    const intent = this.getPaymentIntent(invoice);
    const { now } = store;
    const [payment] = invoice.payments!.data;
    Object.assign(invoice, {
      status: 'void',
      status_transitions: { ...invoice.status_transitions, voided_at: now },
    } satisfies Partial<Stripe.Invoice>);
    Object.assign(payment!, {
      status: 'canceled',
      status_transitions: { canceled_at: now, paid_at: null },
    } satisfies Partial<Stripe.InvoicePayment>);
    events.add('invoice.voided', invoice);
    payments.cancelIntent(intent.id, 'void_invoice');
  }
}
