import type { Stripe } from 'stripe';
import type { Events } from './events.ts';
import { isDelayed, isRedirect, meansOf, type Decline, type Means } from './means.ts';
import { paymentMethod, type Person } from './payment-methods.ts';
import {
  authorized,
  balanceTransaction,
  charge,
  confirmationToken,
  declinedFor,
  paymentIntent,
  type NewIntent,
} from './payment-objects.ts';
import { missing, Refusal, refused, type StripeError } from './refusal.ts';
import { idOf, newId, type Store } from './store.ts';

export interface PaymentsOptions {
  readonly store: Store;
  readonly events: Events;
  /** Where people are sent to agree to a payment. */
  readonly address: () => string;
}

type Watcher = (intent: Stripe.PaymentIntent) => void;

const CONFIRMABLE = ['requires_payment_method', 'requires_confirmation', 'requires_action'];
const CANCELABLE = [
  'requires_payment_method',
  'requires_capture',
  'requires_confirmation',
  'requires_action',
];
const AUTHENTICATION_REQUIRED: Decline = {
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
};
const NOT_AUTHENTICATED: StripeError = {
  type: 'invalid_request_error',
  code: 'payment_intent_authentication_failure',
  message:
    'The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this PaymentIntent again.',
};

/** How payment intents go from state to state. */
export class Payments {
  readonly #options: PaymentsOptions;
  readonly #means = new Map<string, Means>();
  readonly #watchers: Watcher[] = [];

  constructor(options: PaymentsOptions) {
    this.#options = options;
  }

  /** Tells somebody whenever an intent is paid, waits for a bank, or failed. */
  watch(watcher: Watcher): void {
    this.#watchers.push(watcher);
  }

  create(fields: NewIntent): Stripe.PaymentIntent {
    const { store, events } = this.#options;
    const intent = store.keep(paymentIntent(fields, store.time));
    events.add('payment_intent.created', intent);
    return intent;
  }

  /** A means of payment that is kept for a customer. */
  method(number: string, customer: string): Stripe.PaymentMethod {
    const { store } = this.#options;
    const means = meansOf(number);
    const method = store.keep({ ...paymentMethod(means, {}, store.time), customer });
    this.#means.set(method.id, means);
    return method;
  }

  /** A token for a means of payment, as Stripe.js makes one in a browser. */
  token(number: string, person: Person = {}): Stripe.ConfirmationToken {
    const { store } = this.#options;
    const means = meansOf(number);
    const token = store.keep(
      confirmationToken(paymentMethod(means, person, store.time), store.time),
    );
    this.#means.set(token.id, means);
    return token;
  }

  meansOf({ id }: { readonly id: string }): Means {
    return this.#means.get(id)!;
  }

  /** @throws a refusal, or the error of a declined card. */
  confirm(id: string, tokenId: string | undefined, returnUrl?: string): Stripe.PaymentIntent {
    const { store } = this.#options;
    const intent = store.get('payment_intent', id, { param: 'intent' });
    if (!CONFIRMABLE.includes(intent.status))
      throw this.#unexpected(
        intent,
        intent.status === 'succeeded'
          ? 'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.'
          : `You cannot confirm this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be confirmed: ${CONFIRMABLE.join(', ')}.`,
      );
    if (tokenId === undefined)
      throw this.#unexpected(
        intent,
        "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
      );
    const token = store.get('confirmation_token', tokenId, {
      status: 400,
      param: 'confirmation_token',
    });
    const means = this.meansOf(token);
    if (token.payment_intent !== null)
      throw refused(`You cannot use a ConfirmationToken more than once: ${tokenId}.`, {
        code: 'token_already_used',
        param: 'confirmation_token',
      });
    if (token.expires_at !== null && token.expires_at <= store.time)
      throw missing(400, 'confirmation token', tokenId, 'confirmation_token');
    if (!intent.payment_method_types.includes(means.type))
      throw refused(
        `The PaymentMethod provided (${means.type}) is not allowed for this PaymentIntent. Please attach a PaymentMethod of one of the following types: ${intent.payment_method_types.join(', ')}.`,
        {
          code: 'payment_intent_incompatible_payment_method',
          param: 'confirmation_token',
          payment_intent: { ...intent },
        },
      );
    const where = returnUrl ?? token.return_url;
    if (where === null && intent.payment_method_types.some((type) => isRedirect({ type })))
      throw refused(
        'Some of the payment methods of this PaymentIntent might redirect your customer off of your page, you must provide a `return_url`.',
        { code: 'parameter_missing', param: 'return_url' },
      );
    token.payment_intent = intent.id;
    const method = store.keep<Stripe.PaymentMethod>({
      ...token.payment_method_preview!,
      id: newId('pm'),
      object: 'payment_method',
      created: store.time,
      livemode: false,
      metadata: {},
      customer: null,
    });
    this.#means.set(method.id, means);
    return this.attempt(intent, method, where);
  }

  /** Charges a means of payment that is kept, with nobody there to agree. */
  chargeKept(intent: Stripe.PaymentIntent, methodId: string): void {
    const { store } = this.#options;
    const method = store.get('payment_method', methodId);
    const means = this.meansOf(method);
    intent.payment_method = method.id;
    if (means.authentication === 'always') this.#decline(intent, method, AUTHENTICATION_REQUIRED);
    else this.#charge(intent, method);
  }

  /** What came of the page where a person agrees to a payment, or does not. */
  authenticate(id: string, agreed: boolean): Stripe.PaymentIntent {
    const { store } = this.#options;
    const intent = store.get('payment_intent', id);
    if (intent.status !== 'requires_action')
      throw this.#unexpected(
        intent,
        `This PaymentIntent waits for no action: its status is ${intent.status}.`,
      );
    const method = store.get('payment_method', idOf(intent.payment_method));
    intent.next_action = null;
    if (agreed) this.#charge(intent, method);
    else this.#fail(intent, method, NOT_AUTHENTICATED);
    return intent;
  }

  /** A bank's word on a debit that was under way. */
  settle(id: string, paid: boolean): Stripe.PaymentIntent {
    const { store } = this.#options;
    const intent = store.get('payment_intent', id);
    if (intent.status !== 'processing')
      throw new Error(`${id} waits for no bank: its status is ${intent.status}.`);
    const method = store.get('payment_method', idOf(intent.payment_method));
    const kept = store.get('charge', idOf(intent.latest_charge));
    const { decline } = this.meansOf(method);
    intent.processing = null;
    if (paid && !decline) this.#succeed(intent, kept);
    else
      this.#decline(
        intent,
        method,
        decline ?? {
          code: 'payment_intent_payment_attempt_failed',
          decline_code: 'generic_decline',
          message: 'The bank did not pay.',
        },
        kept,
      );
    return intent;
  }

  cancel(
    id: string,
    reason: Stripe.PaymentIntent.CancellationReason | null = null,
  ): Stripe.PaymentIntent {
    const { store, events } = this.#options;
    const intent = store.get('payment_intent', id, { param: 'intent' });
    if (!CANCELABLE.includes(intent.status))
      throw this.#unexpected(
        intent,
        `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: ${CANCELABLE.join(', ')}.`,
      );
    Object.assign(intent, {
      status: 'canceled',
      canceled_at: store.time,
      cancellation_reason: reason,
      next_action: null,
    } satisfies Partial<Stripe.PaymentIntent>);
    events.add('payment_intent.canceled', intent);
    return intent;
  }

  /** Tries to be paid with a person there. @throws the error of a declined card. */
  attempt(
    intent: Stripe.PaymentIntent,
    method: Stripe.PaymentMethod,
    returnUrl: string | null = null,
  ): Stripe.PaymentIntent {
    const means = this.meansOf(method);
    Object.assign(intent, {
      payment_method: method.id,
      last_payment_error: null,
      next_action: null,
    } satisfies Partial<Stripe.PaymentIntent>);
    method.customer = intent.setup_future_usage ? (intent.customer as string | null) : null;
    if (means.authentication || isRedirect(means)) {
      intent.status = 'requires_action';
      intent.next_action = isRedirect(means)
        ? {
            type: 'redirect_to_url',
            redirect_to_url: {
              return_url: returnUrl,
              url: `${this.#options.address()}/redirect/${intent.id}?client_secret=${intent.client_secret ?? ''}`,
            },
          }
        : {
            type: 'use_stripe_sdk',
            use_stripe_sdk: {
              type: 'three_d_secure_redirect',
              stripe_js: `${this.#options.address()}/authenticate/${intent.id}?client_secret=${intent.client_secret ?? ''}`,
              source: newId('payatt'),
            },
          };
      this.#options.events.add('payment_intent.requires_action', intent);
      return intent;
    }
    this.#charge(intent, method);
    const error = intent.last_payment_error as StripeError | null;
    if (error) throw new Refusal(402, { ...error, payment_intent: { ...intent } });
    return intent;
  }

  #charge(intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod): void {
    const { store, events } = this.#options;
    const means = this.meansOf(method);
    if (means.decline && !isDelayed(means)) return this.#decline(intent, method, means.decline);
    const made = store.keep(charge(intent, method, means, store.time));
    intent.latest_charge = made.id;
    if (!isDelayed(means)) return this.#succeed(intent, made);
    intent.status = 'processing';
    events.add('charge.pending', made);
    events.add('payment_intent.processing', intent);
    this.#tell(intent);
  }

  #succeed(intent: Stripe.PaymentIntent, made: Stripe.Charge): void {
    const { events, store } = this.#options;
    Object.assign(made, {
      status: 'succeeded',
      paid: true,
      captured: true,
      amount_captured: made.amount,
      balance_transaction: store.keep(balanceTransaction(made, store.time)).id,
      outcome: authorized,
      receipt_url: `https://pay.stripe.com/receipts/payment/${made.id}`,
      refunds: { object: 'list', data: [], has_more: false, url: `/v1/charges/${made.id}/refunds` },
    } satisfies Partial<Stripe.Charge>);
    Object.assign(intent, {
      status: 'succeeded',
      amount_received: intent.amount,
      last_payment_error: null,
    } satisfies Partial<Stripe.PaymentIntent>);
    events.add('charge.succeeded', made);
    events.add('payment_intent.succeeded', intent);
    this.#tell(intent);
  }

  #decline(
    intent: Stripe.PaymentIntent,
    method: Stripe.PaymentMethod,
    { code, decline_code, message }: Decline,
    pending?: Stripe.Charge,
  ): void {
    const { store, events } = this.#options;
    const made = pending ?? store.keep(charge(intent, method, this.meansOf(method), store.time));
    Object.assign(made, {
      status: 'failed',
      failure_code: code,
      failure_message: message,
      outcome: declinedFor(decline_code),
    } satisfies Partial<Stripe.Charge>);
    intent.latest_charge = made.id;
    events.add('charge.failed', made);
    this.#fail(intent, method, {
      type: 'card_error',
      code,
      decline_code,
      message,
      charge: made.id,
    });
  }

  #fail(intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod, error: StripeError): void {
    Object.assign(intent, {
      status: 'requires_payment_method',
      payment_method: null,
      last_payment_error: {
        ...error,
        payment_method: method,
      } as Stripe.PaymentIntent.LastPaymentError,
    } satisfies Partial<Stripe.PaymentIntent>);
    this.#options.events.add('payment_intent.payment_failed', intent);
    this.#tell(intent);
  }

  #tell(intent: Stripe.PaymentIntent): void {
    for (const watcher of this.#watchers) watcher(intent);
  }

  #unexpected(intent: Stripe.PaymentIntent, message: string): Refusal {
    return refused(message, {
      code: 'payment_intent_unexpected_state',
      payment_intent: { ...intent },
    });
  }
}
