import type { Stripe } from 'stripe';
import {
  invoice,
  invoicePayment,
  periodEnd,
  subscription,
  type NewSubscription,
} from './billing-objects.ts';
import type { Events } from './events.ts';
import { typesFor } from './payment-types.ts';
import type { Payments } from './payments.ts';
import { missing, refused } from './refusal.ts';
import { idOf, type Store } from './store.ts';

export interface BillingOptions {
  readonly store: Store;
  readonly events: Events;
  readonly payments: Payments;
  /**
   * What a subscription is while a bank has its first debit under way. Stripe's documentation and
   * its users tell of both.
   */
  readonly whileProcessing: 'active' | 'incomplete';
}

/**
 * After so many failed attempts, a subscription ends (Dashboard, "Manage failed payments", as many
 * set it).
 */
const MOST_ATTEMPTS = 4;
const ENDED = ['canceled', 'incomplete_expired'];

/** Subscriptions, their invoices, and how the payments of the invoices change both. */
export class Billing {
  readonly #options: BillingOptions;

  constructor(options: BillingOptions) {
    this.#options = options;
    options.payments.watch((intent) => {
      const invoice = this.invoiceOf(intent.id);
      if (invoice && intent.status === 'succeeded') this.#paid(invoice);
      else if (invoice && intent.status === 'processing') this.#underWay(invoice);
      else if (invoice) this.#failed(invoice, intent);
    });
  }

  /** A subscription that waits for its first payment. */
  subscribe(fields: NewSubscription, of: Stripe.Price): Stripe.Subscription {
    const { store, events } = this.#options;
    const made = store.keep(subscription(fields, of, store.time));
    const first = this.#bill(made, 'subscription_create');
    events.add('customer.subscription.created', made);
    this.#tellOf(first);
    return made;
  }

  /** The invoice that a payment intent is to pay. */
  invoiceOf(intentId: string): Stripe.Invoice | undefined {
    const { store } = this.#options;
    const payment = store
      .all('invoice_payment')
      .find(({ payment }) => payment.payment_intent === intentId);
    return payment && store.get('invoice', idOf(payment.invoice));
  }

  intentOf({ payments }: Stripe.Invoice): Stripe.PaymentIntent {
    return this.#options.store.get(
      'payment_intent',
      idOf(payments?.data[0]?.payment.payment_intent),
    );
  }

  /** The next period is billed; or where the last one is still open, it is tried again. */
  renew(id: string): Stripe.Invoice {
    const { store, payments, events } = this.#options;
    const renewed = this.#living(id);
    const item = renewed.items.data[0]!;
    let open = store.get('invoice', idOf(renewed.latest_invoice));
    if (renewed.status === 'incomplete') throw new Error(`${id} waits for its first payment.`);
    if (open.status === 'paid') {
      if (renewed.cancel_at_period_end) {
        this.#end(renewed, 'canceled', 'cancellation_requested');
        return open;
      }
      const before = { items: structuredClone(renewed.items) };
      item.current_period_start = item.current_period_end;
      item.current_period_end = periodEnd(item.current_period_start, item.price.recurring);
      open = this.#bill(renewed, 'subscription_cycle');
      events.add('customer.subscription.updated', renewed, before);
      this.#tellOf(open);
    }
    const method = renewed.default_payment_method;
    if (method === null) this.#failed(open, this.intentOf(open));
    else payments.chargeKept(this.intentOf(open), idOf(method));
    return open;
  }

  /** A donor gives another card for what is to come. */
  changeCard(id: string, number: string): Stripe.Subscription {
    const changed = this.#living(id);
    const before = { default_payment_method: changed.default_payment_method };
    changed.default_payment_method = this.#options.payments.method(
      number,
      idOf(changed.customer),
    ).id;
    this.#options.events.add('customer.subscription.updated', changed, before);
    return changed;
  }

  /**
   * Ends a subscription. An open first invoice is voided, unless a bank has its money under way.
   */
  cancel(id: string, { atPeriodEnd = false } = {}): Stripe.Subscription {
    const { store, events } = this.#options;
    const ended = this.#living(id);
    if (atPeriodEnd) {
      Object.assign(ended, {
        cancel_at_period_end: true,
        canceled_at: store.time,
        cancel_at: ended.items.data[0]!.current_period_end,
      } satisfies Partial<Stripe.Subscription>);
      events.add('customer.subscription.updated', ended, {
        cancel_at_period_end: false,
        canceled_at: null,
        cancel_at: null,
      });
      return ended;
    }
    const wasIncomplete = ended.status === 'incomplete';
    if (wasIncomplete) this.#voidLast(ended);
    this.#end(ended, wasIncomplete ? 'incomplete_expired' : 'canceled', 'cancellation_requested');
    return ended;
  }

  /** As Stripe does 23 hours after a first payment that never came. */
  expire(id: string): Stripe.Subscription {
    const expired = this.#living(id);
    if (expired.status !== 'incomplete') throw new Error(`${id} is not incomplete.`);
    this.#voidLast(expired);
    this.#set(expired, 'incomplete_expired');
    return expired;
  }

  #living(id: string): Stripe.Subscription {
    const found = this.#options.store.get('subscription', id);
    if (ENDED.includes(found.status)) throw missing(404, 'subscription', id, 'id');
    return found;
  }

  #bill(
    billed: Stripe.Subscription,
    reason: 'subscription_create' | 'subscription_cycle',
  ): Stripe.Invoice {
    const { store, payments } = this.#options;
    const made = store.keep(
      invoice(billed, store.get('customer', idOf(billed.customer)), reason, store.time),
    );
    const savesMethod = billed.payment_settings?.save_default_payment_method === 'on_subscription';
    const types = billed.payment_settings?.payment_method_types ?? null;
    const intent = payments.create({
      amount: made.amount_due,
      currency: made.currency,
      customer: made.customer,
      description:
        reason === 'subscription_create' ? 'Subscription creation' : 'Subscription update',
      metadata: {},
      receipt_email: null,
      allowed_payment_method_types: null,
      payment_method_types: typesFor(
        made.currency,
        types,
        'payment_settings[payment_method_types]',
      ),
      setup_future_usage: savesMethod && reason === 'subscription_create' ? 'off_session' : null,
    });
    made.payments = {
      object: 'list',
      has_more: false,
      url: `/v1/invoice_payments?invoice=${made.id}`,
      data: [store.keep(invoicePayment(made, intent.id, store.time))],
    };
    made.confirmation_secret = { client_secret: intent.client_secret!, type: 'payment_intent' };
    billed.latest_invoice = made.id;
    return made;
  }

  #tellOf(made: Stripe.Invoice): void {
    this.#options.events.add('invoice.created', made);
    this.#options.events.add('invoice.finalized', made);
  }

  #subscriptionOf({ parent }: Stripe.Invoice): Stripe.Subscription {
    return this.#options.store.get(
      'subscription',
      idOf(parent?.subscription_details?.subscription),
    );
  }

  #paid(paid: Stripe.Invoice): void {
    const { store, events } = this.#options;
    const { time: paid_at } = store;
    const [payment] = paid.payments!.data;
    const subscribed = this.#subscriptionOf(paid);
    Object.assign(paid, {
      status: 'paid',
      amount_paid: paid.amount_due,
      amount_remaining: 0,
      attempted: true,
      attempt_count: paid.attempt_count + 1,
      next_payment_attempt: null,
      status_transitions: { ...paid.status_transitions, paid_at },
    } satisfies Partial<Stripe.Invoice>);
    Object.assign(payment!, {
      status: 'paid',
      amount_paid: paid.amount_due,
      status_transitions: { canceled_at: null, paid_at },
    } satisfies Partial<Stripe.InvoicePayment>);
    this.#keepMethod(subscribed, paid);
    this.#set(subscribed, 'active');
    events.add('invoice.paid', paid);
    events.add('invoice.payment_succeeded', paid);
    events.add('invoice_payment.paid', payment!);
  }

  #underWay(debited: Stripe.Invoice): void {
    const subscribed = this.#subscriptionOf(debited);
    debited.attempted = true;
    this.#keepMethod(subscribed, debited);
    if (subscribed.status === 'incomplete') this.#set(subscribed, this.#options.whileProcessing);
  }

  #failed(unpaid: Stripe.Invoice, { last_payment_error }: Stripe.PaymentIntent): void {
    const { store, events } = this.#options;
    const subscribed = this.#subscriptionOf(unpaid);
    const isRenewal = unpaid.billing_reason === 'subscription_cycle';
    const attempts = unpaid.attempt_count + 1;
    const isLast = isRenewal && attempts >= MOST_ATTEMPTS;
    Object.assign(unpaid, {
      attempted: true,
      attempt_count: attempts,
      next_payment_attempt: isRenewal && !isLast ? store.time + 259_200 : null,
    } satisfies Partial<Stripe.Invoice>);
    events.add('invoice.payment_failed', unpaid);
    if (last_payment_error?.code === 'authentication_required')
      events.add('invoice.payment_action_required', unpaid);
    if (ENDED.includes(subscribed.status)) return;
    if (isLast) this.#end(subscribed, 'canceled', 'payment_failed');
    else if (subscribed.status === 'active') this.#set(subscribed, 'past_due');
  }

  #keepMethod(subscribed: Stripe.Subscription, { payments }: Stripe.Invoice): void {
    if (
      subscribed.payment_settings?.save_default_payment_method !== 'on_subscription' ||
      subscribed.default_payment_method !== null
    )
      return;
    subscribed.default_payment_method = this.#options.store.get(
      'payment_intent',
      idOf(payments?.data[0]?.payment.payment_intent),
    ).payment_method;
  }

  #set(subscribed: Stripe.Subscription, status: Stripe.Subscription.Status): void {
    const before = subscribed.status;
    if (before === status || ENDED.includes(before)) return;
    subscribed.status = status;
    this.#options.events.add('customer.subscription.updated', subscribed, { status: before });
  }

  #end(
    ended: Stripe.Subscription,
    status: 'canceled' | 'incomplete_expired',
    reason: 'cancellation_requested' | 'payment_failed',
  ): void {
    const { store, events } = this.#options;
    Object.assign(ended, {
      status,
      canceled_at: ended.canceled_at ?? store.time,
      ended_at: store.time,
      cancellation_details: { comment: null, feedback: null, feedback_option: null, reason },
    } satisfies Partial<Stripe.Subscription>);
    events.add('customer.subscription.deleted', ended);
  }

  /** Ends what is to be paid. */
  void(id: string): Stripe.Invoice {
    const found = this.#options.store.get('invoice', id);
    if (found.status !== 'open')
      throw refused("You can only pass in open invoices. This invoice isn't open.", {
        code: 'invoice_not_editable',
      });
    this.#void(found);
    return found;
  }

  #voidLast(of: Stripe.Subscription): void {
    const open = this.#options.store.get('invoice', idOf(of.latest_invoice));
    if (this.intentOf(open).status !== 'processing') this.#void(open);
  }

  #void(open: Stripe.Invoice): void {
    const { store, events, payments } = this.#options;
    const intent = this.intentOf(open);
    const { time } = store;
    const [payment] = open.payments!.data;
    Object.assign(open, {
      status: 'void',
      status_transitions: { ...open.status_transitions, voided_at: time },
    } satisfies Partial<Stripe.Invoice>);
    Object.assign(payment!, {
      status: 'canceled',
      status_transitions: { canceled_at: time, paid_at: null },
    } satisfies Partial<Stripe.InvoicePayment>);
    events.add('invoice.voided', open);
    payments.cancel(intent.id, 'void_invoice');
  }
}
