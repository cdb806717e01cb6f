import type { Stripe } from 'stripe';
import type { Mailbox } from '../data/mailbox.ts';
import type { Faults } from '../lib/faults.ts';
import { isWallet } from './browser/wallet-types.ts';
import type { EventLog } from './events.ts';
import { createId, getReferencedId } from './ids.ts';
import { formatMoney } from './money.ts';
import type { ActivatedTypes } from './payment-method-types.ts';
import { type BillingDetails, buildPaymentMethod } from './payment-methods.ts';
import {
  AUTHORIZED_OUTCOME,
  buildBalanceTransaction,
  buildCharge,
  buildConfirmationToken,
  buildDeclinedOutcome,
  buildPaymentIntent,
  type NewIntent,
  type Pricing,
} from './payment-objects.ts';
import type { Store } from './store.ts';
import {
  createInvalidRequestError,
  createMissingError,
  StripeApiError,
  type StripeError,
} from './stripe-error.ts';
import {
  BANKS,
  type Decline,
  getTestPaymentMethod,
  isBankDebit,
  isRenewedBySepaDebit,
  requiresRedirect,
  type TestPaymentMethod,
} from './test-payment-methods.ts';
import { buildWalletAction } from './wallets.ts';

export interface PaymentsOptions {
  readonly store: Store;
  readonly events: EventLog;
  readonly activatedTypes: ActivatedTypes;
  readonly pricing: Pricing;
  /** Base URL of the authentication pages. */
  readonly getBaseUrl: () => string;
  readonly faults: Faults;
  readonly mailbox: Mailbox;
}

const DAY = 86_400;
/** Seconds until a bank debit settles. */
const SETTLEMENT_DELAY = 3 * DAY;
/** Seconds until the cardholder of the dispute test card disputes a payment. */
const DISPUTE_DELAY = DAY;
const GENERIC_DECLINE: Decline = {
  code: 'card_declined',
  decline_code: 'generic_decline',
  message: 'Your card was declined.',
};

type Listener = (intent: Stripe.PaymentIntent) => void;

const CONFIRMABLE_STATUSES = [
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
];
const CANCELABLE_STATUSES = [
  'requires_payment_method',
  'requires_capture',
  'requires_confirmation',
  'requires_action',
];
const AUTHENTICATION_REQUIRED_DECLINE: Decline = {
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
};
const AUTHENTICATION_FAILED_ERROR: StripeError = {
  type: 'invalid_request_error',
  code: 'payment_intent_authentication_failure',
  message:
    'The provided PaymentMethod has failed authentication. You can provide ' +
    'payment_method_data or a new PaymentMethod to attempt to fulfill this PaymentIntent ' +
    'again.',
};
/**
 * Error for a payment that the customer did not approve. The text is inferred from Stripe's
 * description of the error code.
 */
const NOT_APPROVED_ERROR: StripeError = {
  type: 'invalid_request_error',
  code: 'payment_method_customer_decline',
  message: 'The customer did not approve the PaymentIntent.',
};

/** Creates payment intents and changes their states. */
export class Payments {
  readonly #options: PaymentsOptions;
  readonly #listeners: Listener[] = [];

  constructor(options: PaymentsOptions) {
    this.#options = options;
  }

  /** Calls the listener whenever an intent succeeds, starts processing, or fails. */
  addChangeListener(listener: Listener): void {
    this.#listeners.push(listener);
  }

  createIntent(fields: NewIntent): Stripe.PaymentIntent {
    const { store, events } = this.#options;
    const intent = store.saveObject(buildPaymentIntent(fields, store.now));
    events.recordEvent('payment_intent.created', intent);
    return intent;
  }

  /** Creates a payment method and saves it for a customer. */
  createPaymentMethod(number: string, customer: string): Stripe.PaymentMethod {
    const { store } = this.#options;
    const testMethod = getTestPaymentMethod(number);
    const method = store.saveObject({ ...buildPaymentMethod(testMethod, {}, store.now), customer });
    store.saveInternalRecord('test-method', method.id, testMethod);
    return method;
  }

  /** Creates a confirmation token, as Stripe.js does in a browser. */
  createConfirmationToken(
    number: string,
    billingDetails: BillingDetails = {},
    setupFutureUsage: Stripe.ConfirmationToken['setup_future_usage'] = null,
  ): Stripe.ConfirmationToken {
    const { store } = this.#options;
    const testMethod = getTestPaymentMethod(number);
    const token = store.saveObject(
      buildConfirmationToken(
        buildPaymentMethod(testMethod, billingDetails, store.now),
        setupFutureUsage,
        store.now,
      ),
    );
    store.saveInternalRecord('test-method', token.id, testMethod);
    return token;
  }

  getTestMethod({ id }: { readonly id: string }): TestPaymentMethod {
    return this.#options.store.getInternalRecord('test-method', id)!;
  }

  /**
   * Confirms a payment intent.
   * @throws StripeApiError if the call is invalid or the card is declined.
   */
  confirmIntent(id: string, tokenId: string | undefined, returnUrl?: string): Stripe.PaymentIntent {
    const { store } = this.#options;
    const intent = store.getObject('payment_intent', id, { param: 'intent' });
    if (!CONFIRMABLE_STATUSES.includes(intent.status))
      throw this.#createUnexpectedStateError(
        intent,
        intent.status === 'succeeded'
          ? 'You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed.'
          : 'You cannot confirm this PaymentIntent because it has a status of ' +
              `${intent.status}. Only a PaymentIntent with one of the following statuses may be ` +
              `confirmed: ${CONFIRMABLE_STATUSES.join(', ')}.`,
      );
    if (tokenId === undefined)
      throw this.#createUnexpectedStateError(
        intent,
        "You cannot confirm this PaymentIntent because it's missing a payment method. You " +
          'can either update the PaymentIntent with a payment method and then confirm it ' +
          'again, or confirm it again directly with a payment method or ConfirmationToken.',
      );
    const token = store.getObject('confirmation_token', tokenId, {
      status: 400,
      param: 'confirmation_token',
    });
    const testMethod = this.getTestMethod(token);
    if (token.payment_intent !== null)
      throw createInvalidRequestError(
        `You cannot use a ConfirmationToken more than once: ${tokenId}.`,
        {
          code: 'token_already_used',
          param: 'confirmation_token',
        },
      );
    if (token.expires_at !== null && token.expires_at <= store.now)
      throw createMissingError(400, 'confirmation token', tokenId, 'confirmation_token');
    if (!intent.payment_method_types.includes(testMethod.type))
      throw createInvalidRequestError(
        `The PaymentMethod provided (${testMethod.type}) is not allowed for this ` +
          'PaymentIntent. Please attach a PaymentMethod of one of the following types: ' +
          `${intent.payment_method_types.join(', ')}.`,
        {
          code: 'payment_intent_incompatible_payment_method',
          param: 'confirmation_token',
          payment_intent: { ...intent },
        },
      );
    if (token.setup_future_usage !== intent.setup_future_usage)
      throw createInvalidRequestError(
        `The provided setup_future_usage (${String(intent.setup_future_usage)}) does not ` +
          'match the setup_future_usage from the provided confirmation_token ' +
          `(${String(token.setup_future_usage)}). Try confirming with a Payment Intent that ` +
          'is configured to use the same parameters as the Stripe Elements.',
        { param: 'setup_future_usage', payment_intent: { ...intent } },
      );
    if (
      intent.setup_future_usage === 'off_session' &&
      isRenewedBySepaDebit(testMethod) &&
      !this.#options.activatedTypes.isTypeActive('sepa_debit')
    )
      throw createInvalidRequestError(
        `The payment method type ${testMethod.type} can be set up for future usage only if ` +
          'sepa_debit is activated in your dashboard.',
        { param: 'setup_future_usage', payment_intent: { ...intent } },
      );
    const effectiveReturnUrl = returnUrl ?? token.return_url;
    if (
      effectiveReturnUrl === null &&
      intent.payment_method_types.some((type) => requiresRedirect({ type }))
    )
      throw createInvalidRequestError(
        'Some of the payment methods of this PaymentIntent might redirect your customer off ' +
          'of your page, you must provide a `return_url`.',
        { code: 'parameter_missing', param: 'return_url' },
      );
    token.payment_intent = intent.id;
    const method = store.saveObject<Stripe.PaymentMethod>({
      ...token.payment_method_preview!,
      id: createId('pm'),
      object: 'payment_method',
      created: store.now,
      livemode: false,
      metadata: {},
      customer: null,
    });
    store.saveInternalRecord('test-method', method.id, testMethod);
    return this.attemptPayment(intent, method, effectiveReturnUrl);
  }

  /** Charges a saved payment method without the customer present. */
  chargeOffSession(intent: Stripe.PaymentIntent, methodId: string): void {
    const { store } = this.#options;
    const method = store.getObject('payment_method', methodId);
    const testMethod = this.getTestMethod(method);
    if (
      !intent.payment_method_types.includes(testMethod.type) ||
      isRenewedBySepaDebit(testMethod)
    ) {
      this.#markFailed(intent, method, {
        type: 'invalid_request_error',
        code: 'payment_intent_incompatible_payment_method',
        message: `The PaymentMethod provided (${testMethod.type}) is not allowed for this PaymentIntent.`,
      });
      return;
    }
    intent.payment_method = method.id;
    if (testMethod.authentication === 'always')
      this.#markDeclined(intent, method, AUTHENTICATION_REQUIRED_DECLINE);
    else if (testMethod.declinesRenewals) this.#markDeclined(intent, method, GENERIC_DECLINE);
    else this.#createCharge(intent, method);
  }

  /** Completes or fails the authentication of a payment. */
  completeAuthentication(id: string, isConfirmed: boolean): Stripe.PaymentIntent {
    const { store } = this.#options;
    const intent = store.getObject('payment_intent', id);
    if (intent.status !== 'requires_action')
      throw this.#createUnexpectedStateError(
        intent,
        `This PaymentIntent does not require action: its status is ${intent.status}.`,
      );
    const method = store.getObject('payment_method', getReferencedId(intent.payment_method));
    intent.next_action = null;
    if (isConfirmed) this.#createCharge(intent, method);
    else
      this.#markFailed(
        intent,
        method,
        isWallet(method.type) ? NOT_APPROVED_ERROR : AUTHENTICATION_FAILED_ERROR,
      );
    return intent;
  }

  /** Settles or fails a processing bank debit. */
  settleDebit(id: string, isPaid: boolean): Stripe.PaymentIntent {
    const { store } = this.#options;
    const intent = store.getObject('payment_intent', id);
    if (intent.status !== 'processing')
      throw createInvalidRequestError(
        `This PaymentIntent is not processing: its status is ${intent.status}.`,
      );
    const method = store.getObject('payment_method', getReferencedId(intent.payment_method));
    const charge = store.getObject('charge', getReferencedId(intent.latest_charge));
    const { decline } = this.getTestMethod(method);
    intent.processing = null;
    store.cancelTask('settle-debit', id);
    if (isPaid && !decline) this.#markSucceeded(intent, charge);
    else
      this.#markDeclined(
        intent,
        method,
        decline ?? {
          code: 'payment_intent_payment_attempt_failed',
          decline_code: 'generic_decline',
          message: 'The bank did not pay.',
        },
        charge,
      );
    return intent;
  }

  cancelIntent(
    id: string,
    reason: Stripe.PaymentIntent.CancellationReason | null = null,
  ): Stripe.PaymentIntent {
    const { store, events } = this.#options;
    const intent = store.getObject('payment_intent', id, { param: 'intent' });
    if (!CANCELABLE_STATUSES.includes(intent.status))
      throw this.#createUnexpectedStateError(
        intent,
        `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. ` +
          'Only a PaymentIntent with one of the following statuses may be canceled: ' +
          `${CANCELABLE_STATUSES.join(', ')}.`,
      );
    Object.assign(intent, {
      status: 'canceled',
      canceled_at: store.now,
      cancellation_reason: reason,
      next_action: null,
    } satisfies Partial<Stripe.PaymentIntent>);
    events.recordEvent('payment_intent.canceled', intent);
    return intent;
  }

  /**
   * Attempts a payment with the customer present.
   * @throws StripeApiError if the card is declined.
   */
  attemptPayment(
    intent: Stripe.PaymentIntent,
    method: Stripe.PaymentMethod,
    returnUrl: string | null = null,
  ): Stripe.PaymentIntent {
    const testMethod = this.getTestMethod(method);
    Object.assign(intent, {
      payment_method: method.id,
      last_payment_error: null,
      next_action: null,
    } satisfies Partial<Stripe.PaymentIntent>);
    method.customer =
      intent.setup_future_usage && !isRenewedBySepaDebit(testMethod)
        ? (intent.customer as string | null)
        : null;
    if (testMethod.authentication || requiresRedirect(testMethod)) {
      intent.status = 'requires_action';
      intent.next_action = requiresRedirect(testMethod)
        ? buildWalletAction(
            testMethod.type,
            `${this.#options.getBaseUrl()}/redirect/${intent.id}?client_secret=${intent.client_secret ?? ''}`,
            returnUrl,
            this.#options.store.now,
          )
        : {
            type: 'use_stripe_sdk',
            use_stripe_sdk: {
              type: 'three_d_secure_redirect',
              stripe_js:
                `${this.#options.getBaseUrl()}/authenticate/${intent.id}` +
                `?client_secret=${intent.client_secret ?? ''}`,
              source: createId('payatt'),
            },
          };
      this.#options.events.recordEvent('payment_intent.requires_action', intent);
      return intent;
    }
    this.#createCharge(intent, method);
    const error = intent.last_payment_error as StripeError | null;
    if (error) throw new StripeApiError(402, { ...error, payment_intent: { ...intent } });
    return intent;
  }

  #createCharge(intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod): void {
    const { store, events } = this.#options;
    const testMethod = this.getTestMethod(method);
    if (testMethod.decline && !isBankDebit(testMethod))
      return this.#markDeclined(intent, method, testMethod.decline);
    if (!isBankDebit(testMethod) && this.#options.faults.consumeFault('decline'))
      return this.#markDeclined(intent, method, GENERIC_DECLINE);
    const charge = store.saveObject(buildCharge(intent, method, testMethod, store.now));
    intent.latest_charge = charge.id;
    const details =
      charge.payment_method_details?.ideal ?? charge.payment_method_details?.bancontact;
    if (details && intent.setup_future_usage === 'off_session')
      details.generated_sepa_debit = this.createPaymentMethod(
        BANKS.sepa,
        getReferencedId(intent.customer),
      ).id;
    if (!isBankDebit(testMethod)) return this.#markSucceeded(intent, charge);
    intent.status = 'processing';
    store.scheduleTask('settle-debit', intent.id, store.now + SETTLEMENT_DELAY);
    events.recordEvent('charge.pending', charge);
    events.recordEvent('payment_intent.processing', intent);
    this.#notifyListeners(intent);
  }

  #markSucceeded(intent: Stripe.PaymentIntent, charge: Stripe.Charge): void {
    const { events, store } = this.#options;
    Object.assign(charge, {
      status: 'succeeded',
      paid: true,
      captured: true,
      amount_captured: charge.amount,
      balance_transaction: store.saveObject(
        buildBalanceTransaction(charge, this.#options.pricing, store.now),
      ).id,
      outcome: AUTHORIZED_OUTCOME,
      receipt_url: `https://pay.stripe.com/receipts/payment/${charge.id}`,
      refunds: {
        object: 'list',
        // Stored lists contain only IDs. `toResponseObject` replaces the IDs with objects.
        data: [],
        has_more: false,
        url: `/v1/charges/${charge.id}/refunds`,
      },
    } satisfies Partial<Stripe.Charge>);
    Object.assign(intent, {
      status: 'succeeded',
      amount_received: intent.amount,
      last_payment_error: null,
    } satisfies Partial<Stripe.PaymentIntent>);
    if (this.getTestMethod({ id: getReferencedId(intent.payment_method) }).isDisputed)
      store.scheduleTask('open-dispute', intent.id, store.now + DISPUTE_DELAY);
    if (intent.receipt_email !== null) this.#sendReceipt(intent, intent.receipt_email);
    events.recordEvent('charge.succeeded', charge);
    events.recordEvent('payment_intent.succeeded', intent);
    this.#notifyListeners(intent);
  }

  #sendReceipt({ amount, currency, metadata }: Stripe.PaymentIntent, to: string): void {
    const { mailbox, store } = this.#options;
    const sum = formatMoney(amount, currency);
    mailbox.insertEmail({
      to,
      subject: `Receipt for ${sum}`,
      text:
        `Thank you. We received your payment of ${sum}.` +
        (metadata.donation_form_reference === undefined
          ? ''
          : ` Reference: ${metadata.donation_form_reference}`),
      link: null,
      created: new Date(store.now * 1_000).toISOString(),
    });
  }

  #markDeclined(
    intent: Stripe.PaymentIntent,
    method: Stripe.PaymentMethod,
    { code, decline_code, message }: Decline,
    pending?: Stripe.Charge,
  ): void {
    const { store, events } = this.#options;
    const charge =
      pending ??
      store.saveObject(buildCharge(intent, method, this.getTestMethod(method), store.now));
    Object.assign(charge, {
      status: 'failed',
      failure_code: code,
      failure_message: message,
      outcome: buildDeclinedOutcome(decline_code),
    } satisfies Partial<Stripe.Charge>);
    intent.latest_charge = charge.id;
    events.recordEvent('charge.failed', charge);
    this.#markFailed(intent, method, {
      type: 'card_error',
      code,
      decline_code,
      message,
      charge: charge.id,
    });
  }

  #markFailed(
    intent: Stripe.PaymentIntent,
    method: Stripe.PaymentMethod,
    error: StripeError,
  ): void {
    Object.assign(intent, {
      status: 'requires_payment_method',
      payment_method: null,
      last_payment_error: {
        ...error,
        payment_method: method,
      } as Stripe.PaymentIntent.LastPaymentError,
    } satisfies Partial<Stripe.PaymentIntent>);
    this.#options.events.recordEvent('payment_intent.payment_failed', intent);
    this.#notifyListeners(intent);
  }

  #notifyListeners(intent: Stripe.PaymentIntent): void {
    for (const listener of this.#listeners) listener(intent);
  }

  #createUnexpectedStateError(intent: Stripe.PaymentIntent, message: string): StripeApiError {
    return createInvalidRequestError(message, {
      code: 'payment_intent_unexpected_state',
      payment_intent: { ...intent },
    });
  }
}
