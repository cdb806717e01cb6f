import type { Stripe } from 'stripe';
import { customer } from './billing-objects.ts';
import type { Billing } from './billing.ts';
import { checkoutSession, type Line, type NewSession } from './checkout-session.ts';
import type { Events } from './events.ts';
import type { Payments } from './payments.ts';
import { refused } from './refusal.ts';
import { idOf, type Store } from './store.ts';

export interface CheckoutOptions {
  readonly store: Store;
  readonly events: Events;
  readonly payments: Payments;
  readonly billing: Billing;
  readonly address: () => string;
}

/** What the payment or the subscription of a session is to carry. */
export interface Carried {
  readonly metadata: Stripe.Metadata;
  readonly description: string | null;
  readonly receipt_email?: string | undefined;
  readonly setup_future_usage?: 'off_session' | 'on_session' | undefined;
}

interface Attempt {
  readonly intent: Stripe.PaymentIntent;
  readonly customer: string | null;
  readonly subscription: Stripe.Subscription | null;
}

/** Sessions of the page that Stripe hosts. */
export class Checkout {
  readonly #options: CheckoutOptions;
  readonly #carried = new Map<string, Carried>();
  readonly #attempts = new Map<string, Attempt>();

  constructor(options: CheckoutOptions) {
    this.#options = options;
    options.payments.watch((intent) => this.#follow(intent));
  }

  open(line: Line, fields: NewSession, carried: Carried): Stripe.Checkout.Session {
    const { store, address } = this.#options;
    const made = store.keep(checkoutSession(line, fields, address(), store.time));
    this.#carried.set(made.id, carried);
    return made;
  }

  /** The session, expired if its time is over. */
  session(id: string): Stripe.Checkout.Session {
    const { store } = this.#options;
    const found = store.get('checkout.session', id);
    if (found.status === 'open' && found.expires_at <= store.time) this.#close(found);
    return found;
  }

  expire(id: string): Stripe.Checkout.Session {
    const found = this.session(id);
    if (found.status !== 'open')
      throw refused(
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${found.status ?? ''}.`,
      );
    this.#close(found);
    return found;
  }

  /**
   * What the button on the page does.
   * @returns where the browser goes next.
   * @throws the error of a declined card.
   */
  pay(id: string, number: string, email: string): string {
    const { payments } = this.#options;
    const session = this.session(id);
    if (session.status !== 'open') throw refused('This Checkout Session is no longer open.');
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
    const { intent } = this.#attempt(session);
    const token = payments.token(number, { email: session.customer_details.email });
    const { status } = payments.confirm(intent.id, token.id, session.url ?? undefined);
    return status === 'requires_action'
      ? `${this.#options.address()}/redirect/${intent.id}?client_secret=${intent.client_secret ?? ''}`
      : this.successUrl(session);
  }

  successUrl({ id, success_url }: Stripe.Checkout.Session): string {
    return (success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', id);
  }

  /** The page of the session that an intent is to pay. */
  pageOf(intentId: string): string | null {
    const [id] = [...this.#attempts].find(([, { intent }]) => intent.id === intentId) ?? [];
    return id === undefined ? null : `${this.#options.address()}/c/pay/${id}`;
  }

  /** What went wrong with the last attempt to pay. */
  problem({ id }: Stripe.Checkout.Session): string | undefined {
    return this.#attempts.get(id)?.intent.last_payment_error?.message;
  }

  /** The first attempt makes what is to be paid; later ones pay the same. */
  #attempt(session: Stripe.Checkout.Session): Attempt {
    const { store, events, payments, billing } = this.#options;
    const before = this.#attempts.get(session.id);
    if (before) return before;
    const {
      metadata,
      description,
      receipt_email = null,
      setup_future_usage = null,
    } = this.#carried.get(session.id)!;
    const { allowed_payment_method_types, payment_method_types, customer_details } = session;
    const price = session.line_items!.data[0]!.price!;
    const needsCustomer =
      session.customer === null && (session.mode === 'subscription' || setup_future_usage !== null);
    const made = needsCustomer
      ? store.keep(
          customer(
            {
              email: customer_details?.email ?? null,
              name: null,
              phone: null,
              description: null,
              metadata: {},
              preferred_locales: [],
            },
            store.time,
          ),
        )
      : null;
    if (made) events.add('customer.created', made);
    const payer = made?.id ?? (session.customer === null ? null : idOf(session.customer));
    let attempt: Attempt;
    if (session.mode === 'subscription') {
      const subscription = billing.subscribe(
        {
          customer: payer!,
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
        subscription,
        customer: payer,
        intent: billing.intentOf(store.get('invoice', idOf(subscription.latest_invoice))),
      };
    } else {
      const intent = payments.create({
        amount: session.amount_total!,
        currency: session.currency!,
        customer: payer,
        description,
        metadata,
        receipt_email,
        setup_future_usage,
        allowed_payment_method_types: allowed_payment_method_types,
        payment_method_types,
      });
      attempt = { subscription: null, customer: payer, intent };
    }
    this.#attempts.set(session.id, attempt);
    return attempt;
  }

  #follow(intent: Stripe.PaymentIntent): void {
    const [id, attempt] = [...this.#attempts].find(([, one]) => one.intent === intent) ?? [];
    if (id === undefined || !attempt) return;
    const { events, store } = this.#options;
    const session = store.get('checkout.session', id);
    const isPaid = intent.status === 'succeeded';
    if (session.status === 'open' && (isPaid || intent.status === 'processing')) {
      const { subscription, customer } = attempt;
      Object.assign(session, {
        status: 'complete',
        payment_status: isPaid ? 'paid' : 'unpaid',
        url: null,
        customer,
        ...(subscription
          ? { subscription: subscription.id, invoice: subscription.latest_invoice }
          : { payment_intent: intent.id }),
      } satisfies Partial<Stripe.Checkout.Session>);
      events.add('checkout.session.completed', session);
    } else if (session.status === 'complete' && session.payment_status === 'unpaid') {
      if (isPaid) session.payment_status = 'paid';
      events.add(
        isPaid
          ? 'checkout.session.async_payment_succeeded'
          : 'checkout.session.async_payment_failed',
        session,
      );
    }
  }

  #close(session: Stripe.Checkout.Session): void {
    const { events, payments, billing } = this.#options;
    const attempt = this.#attempts.get(session.id);
    Object.assign(session, {
      status: 'expired',
      url: null,
    } satisfies Partial<Stripe.Checkout.Session>);
    if (attempt?.subscription) billing.expire(attempt.subscription.id);
    else if (attempt) payments.cancel(attempt.intent.id, 'automatic');
    events.add('checkout.session.expired', session);
  }
}
