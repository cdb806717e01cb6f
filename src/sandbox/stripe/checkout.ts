import type { Stripe } from 'stripe';
import type { Billing } from './billing.ts';
import { buildCustomer } from './billing-objects.ts';
import { buildCheckoutSession, type LineItem, type NewSession } from './checkout-session.ts';
import type { EventLog } from './events.ts';
import { getReferencedId } from './ids.ts';
import type { Attempt, PaymentDetails } from './internal-records.ts';
import type { Payments } from './payments.ts';
import type { Store } from './store.ts';
import { createInvalidRequestError } from './stripe-error.ts';

export interface CheckoutOptions {
  readonly store: Store;
  readonly events: EventLog;
  readonly payments: Payments;
  readonly billing: Billing;
  readonly getBaseUrl: () => string;
}

/** Manages Checkout Sessions, which are payment pages hosted by Stripe. */
export class Checkout {
  readonly #options: CheckoutOptions;

  constructor(options: CheckoutOptions) {
    this.#options = options;
    options.payments.addChangeListener((intent) => this.#updateSession(intent));
  }

  createSession(
    line: LineItem,
    fields: NewSession,
    details: PaymentDetails,
  ): Stripe.Checkout.Session {
    const { store, getBaseUrl } = this.#options;
    const session = store.saveObject(buildCheckoutSession(line, fields, getBaseUrl(), store.now));
    store.saveInternalRecord('payment-details', session.id, details);
    store.scheduleTask('expire-session', session.id, session.expires_at);
    return session;
  }

  /** Returns a session. If the session's lifetime is over, expires the session first. */
  getSession(id: string): Stripe.Checkout.Session {
    const { store } = this.#options;
    const session = store.getObject('checkout.session', id);
    if (session.status === 'open' && session.expires_at <= store.now) this.#closeSession(session);
    return session;
  }

  expireSession(id: string): Stripe.Checkout.Session {
    const session = this.getSession(id);
    if (session.status !== 'open')
      throw createInvalidRequestError(
        'Only Checkout Sessions with a status in ["open"] can be expired. This Checkout ' +
          `Session has a status of ${session.status ?? ''}.`,
      );
    this.#closeSession(session);
    return session;
  }

  /**
   * Pays a session, as the button on the payment page does.
   * @returns the URL of the browser's next page.
   * @throws StripeApiError if the card is declined.
   */
  paySession(id: string, number: string, email: string): string {
    const { payments, store } = this.#options;
    const session = this.getSession(id);
    if (session.status !== 'open')
      throw createInvalidRequestError('This Checkout Session is no longer open.');
    session.customer_details = {
      address: null,
      business_name: null,
      email: session.customer_email ?? email,
      individual_name: null,
      name: null,
      phone: null,
      tax_exempt: 'none',
      tax_ids: null,
    };
    const intent = store.getObject('payment_intent', this.#getOrCreateAttempt(session).intent);
    const token = payments.createConfirmationToken(
      number,
      { email: session.customer_details.email },
      intent.setup_future_usage,
    );
    const { status } = payments.confirmIntent(intent.id, token.id, session.url ?? undefined);
    return status === 'requires_action'
      ? `${this.#options.getBaseUrl()}/redirect/${intent.id}?client_secret=${intent.client_secret ?? ''}`
      : this.getSuccessUrl(session);
  }

  getSuccessUrl({ id, success_url }: Stripe.Checkout.Session): string {
    return (success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', id);
  }

  /** Returns the URL of the Checkout page on which the donor pays an intent. */
  findPageUrl(intentId: string): string | null {
    const id = this.#options.store.getInternalRecord('session', intentId);
    return id === undefined ? null : `${this.#options.getBaseUrl()}/c/pay/${id}`;
  }

  /** Returns the error message of a session's last payment attempt. */
  getLastError({ id }: Stripe.Checkout.Session): string | undefined {
    const { store } = this.#options;
    const attempt = store.getInternalRecord('attempt', id);
    return attempt && store.getObject('payment_intent', attempt.intent).last_payment_error?.message;
  }

  /**
   * Returns a session's payment attempt. The first call creates the payment or subscription. Later
   * calls return the same attempt.
   */
  #getOrCreateAttempt(session: Stripe.Checkout.Session): Attempt {
    const { store, events, payments, billing } = this.#options;
    const existing = store.getInternalRecord('attempt', session.id);
    if (existing) return existing;
    const {
      metadata,
      description,
      receipt_email = null,
      setup_future_usage = null,
    } = store.getInternalRecord('payment-details', session.id)!;
    const { allowed_payment_method_types, payment_method_types, customer_details } = session;
    const price = session.line_items!.data[0]!.price!;
    const needsCustomer =
      session.customer === null && (session.mode === 'subscription' || setup_future_usage !== null);
    const newCustomer = needsCustomer
      ? store.saveObject(
          buildCustomer(
            {
              email: customer_details?.email ?? null,
              name: null,
              phone: null,
              description: null,
              metadata: {},
              preferred_locales: [],
            },
            store.now,
          ),
        )
      : null;
    if (newCustomer) events.recordEvent('customer.created', newCustomer);
    const customerId =
      newCustomer?.id ?? (session.customer === null ? null : getReferencedId(session.customer));
    let attempt: Attempt;
    if (session.mode === 'subscription') {
      const subscription = billing.createSubscription(
        {
          customer: customerId!,
          metadata,
          description,
          payment_settings: {
            payment_method_types: payment_method_types,
            save_default_payment_method: 'on_subscription',
          },
        },
        price,
      );
      attempt = {
        subscription: subscription.id,
        customer: customerId,
        intent: billing.getPaymentIntent(
          store.getObject('invoice', getReferencedId(subscription.latest_invoice)),
        ).id,
      };
    } else {
      const intent = payments.createIntent({
        amount: session.amount_total!,
        currency: session.currency!,
        customer: customerId,
        description,
        metadata,
        receipt_email,
        setup_future_usage,
        allowed_payment_method_types: allowed_payment_method_types,
        payment_method_options: null,
        payment_method_types,
      });
      attempt = { subscription: null, customer: customerId, intent: intent.id };
    }
    store.saveInternalRecord('attempt', session.id, attempt);
    store.saveInternalRecord('session', attempt.intent, session.id);
    return attempt;
  }

  #updateSession(intent: Stripe.PaymentIntent): void {
    const { events, store } = this.#options;
    const id = store.getInternalRecord('session', intent.id);
    const attempt = id === undefined ? undefined : store.getInternalRecord('attempt', id);
    if (id === undefined || !attempt) return;
    const session = store.getObject('checkout.session', id);
    const isPaid = intent.status === 'succeeded';
    if (session.status === 'open' && (isPaid || intent.status === 'processing')) {
      const { subscription, customer } = attempt;
      Object.assign(session, {
        status: 'complete',
        payment_status: isPaid ? 'paid' : 'unpaid',
        url: null,
        customer,
        ...(subscription
          ? { subscription, invoice: store.getObject('subscription', subscription).latest_invoice }
          : { payment_intent: intent.id }),
      } satisfies Partial<Stripe.Checkout.Session>);
      store.cancelTask('expire-session', session.id);
      events.recordEvent('checkout.session.completed', session);
    } else if (session.status === 'complete' && session.payment_status === 'unpaid') {
      if (isPaid) session.payment_status = 'paid';
      events.recordEvent(
        isPaid
          ? 'checkout.session.async_payment_succeeded'
          : 'checkout.session.async_payment_failed',
        session,
      );
    }
  }

  #closeSession(session: Stripe.Checkout.Session): void {
    const { store, events, payments, billing } = this.#options;
    const attempt = store.getInternalRecord('attempt', session.id);
    store.cancelTask('expire-session', session.id);
    Object.assign(session, {
      status: 'expired',
      url: null,
    } satisfies Partial<Stripe.Checkout.Session>);
    if (attempt?.subscription) billing.expireSubscription(attempt.subscription);
    else if (attempt) payments.cancelIntent(attempt.intent, 'automatic');
    events.recordEvent('checkout.session.expired', session);
  }
}
