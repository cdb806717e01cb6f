import {
  ApiError,
  createErrorDetail,
  InvalidRequestError,
  NotFoundError,
  StateError,
  UnprocessableError,
} from './api-error.ts';
import { DEFAULT_BUYER } from './buyers.ts';
import type { PayPalContext } from './context.ts';
import { createId } from './ids.ts';
import { addInterval } from './intervals.ts';
import { type Amount, formatMoney, formatPrice, type Money, parsePrice } from './money.ts';
import type { ApprovalOptions } from './orders.ts';
import { addUrlParameters, type Approval } from './pages/approval.ts';
import type { AutomaticPayment } from './pages/automatic-payments.ts';
import type { Payments } from './payments.ts';
import type { Payment, Plan, Subscription } from './records.ts';
import { serializeSubscription } from './subscription-views.ts';

/** A request to create a subscription, after validation by `SUBSCRIPTION_SHAPE`. */
export interface SubscriptionRequest {
  readonly plan_id: string;
  readonly start_time?: string;
  readonly quantity?: string;
  readonly custom_id?: string;
  readonly application_context?: {
    readonly brand_name?: string;
    readonly return_url: string;
    readonly cancel_url: string;
    readonly user_action?: 'CONTINUE' | 'SUBSCRIBE_NOW';
  };
  /** Values that override parts of the plan. */
  readonly plan?: {
    readonly billing_cycles?: readonly {
      readonly sequence: number;
      readonly total_cycles?: number;
      readonly pricing_scheme?: { readonly fixed_price?: Money };
    }[];
  };
}

/** Actions that the API allows only if the subscription has a certain status. */
const ACTIONS = {
  activate: { from: ['SUSPENDED'], expected: 'suspended' },
  suspend: { from: ['ACTIVE'], expected: 'active' },
  cancel: { from: ['ACTIVE', 'SUSPENDED'], expected: 'active or suspended' },
  capture: { from: ['ACTIVE', 'SUSPENDED', 'EXPIRED'], expected: 'active or suspended or expired' },
} as const;

const PERIODS: Readonly<Record<Plan['interval']['unit'], string>> = {
  DAY: 'day',
  WEEK: 'week',
  MONTH: 'month',
  YEAR: 'year',
};

/** Subscriptions v1 (developer.paypal.com/docs/api/subscriptions/v1). */
export class Subscriptions {
  readonly #context: PayPalContext;
  readonly #payments: Payments;

  constructor(context: PayPalContext, payments: Payments) {
    this.#context = context;
    this.#payments = payments;
  }

  /**
   * Creates a subscription.
   * @throws ApiError if PayPal would not create the subscription.
   */
  createSubscription(request: SubscriptionRequest): Subscription {
    const { store, getTime } = this.#context;
    const plan = store.findRecord('plan', request.plan_id);
    if (!plan)
      throw new ApiError(404, [
        createErrorDetail('INVALID_RESOURCE_ID', { field: '/plan_id', value: request.plan_id }),
      ]);
    if (plan.status !== 'ACTIVE')
      throw new UnprocessableError('PLAN_STATUS_INVALID', {
        description: 'Invalid plan status for subscription creation; plan status should be active.',
      });
    const time = getTime();
    if (request.start_time !== undefined && Date.parse(request.start_time) <= Date.parse(time))
      throw new InvalidRequestError([
        createErrorDetail('INVALID_PARAMETER_VALUE', {
          field: '/start_time',
          value: request.start_time,
          location: 'body',
          description: 'Start time must be a valid future date and time.',
        }),
      ]);
    const unitPrice = getUnitPrice(request, plan);
    const price = {
      currency: unitPrice.currency,
      units: Math.round(unitPrice.units * Number(request.quantity ?? 1)),
    };
    const { application_context: experience } = request;
    const subscription = store.insertRecord<Subscription>({
      kind: 'subscription',
      id: createId('I-', 12),
      planId: plan.id,
      status: 'APPROVAL_PENDING',
      statusTime: time,
      customId: request.custom_id,
      quantity: request.quantity,
      overridesPlan: request.plan !== undefined,
      unitPrice,
      price,
      totalCycles: request.plan?.billing_cycles?.[0]?.total_cycles ?? plan.totalCycles,
      startTime: request.start_time ?? time,
      token: createId('BA-'),
      brandName: experience?.brand_name,
      returnUrl: experience?.return_url,
      cancelUrl: experience?.cancel_url,
      activatesOnApproval: experience?.user_action !== 'CONTINUE',
      cyclesCompleted: 0,
      outstanding: { currency: price.currency, units: 0 },
      failedPayments: 0,
      createTime: time,
      updateTime: time,
    });
    this.#recordEvent('CREATED', subscription);
    return subscription;
  }

  getSubscription(id: string): Subscription {
    return this.#context.store.getRecord('subscription', id);
  }

  /**
   * Returns the contents of a subscription's approval page.
   * @throws NotFoundError if no subscription has the given token.
   */
  findApproval(token: string): Approval {
    const { store } = this.#context;
    const subscription = store.listRecords('subscription').find((other) => other.token === token);
    if (!subscription) throw new NotFoundError();
    const { id, returnUrl, cancelUrl } = subscription;
    const parameters = { subscription_id: id, ba_token: token, token };
    return {
      ...this.#describeRecipientAndPrice(subscription),
      description: undefined,
      isOpen: subscription.status === 'APPROVAL_PENDING',
      fundings: ['balance', 'echeck', 'expiring', 'declined'],
      action: subscription.activatesOnApproval ? 'Agree and subscribe' : 'Agree and continue',
      cancelUrl: addUrlParameters(cancelUrl, parameters),
      approvePayment: (buyer, funding) => {
        this.approveSubscription(id, { buyer, funding });
        return addUrlParameters(returnUrl, parameters);
      },
    };
  }

  /** Lists a buyer's active and suspended subscriptions, newest first. */
  listAutomaticPayments(email: string): AutomaticPayment[] {
    return this.#context.store
      .listRecords('subscription')
      .filter(
        ({ buyer, status }) =>
          buyer?.email === email && (status === 'ACTIVE' || status === 'SUSPENDED'),
      )
      .toReversed()
      .map((subscription) => ({
        id: subscription.id,
        ...this.#describeRecipientAndPrice(subscription),
      }));
  }

  #describeRecipientAndPrice({
    brandName = 'the website',
    price,
    planId,
  }: Subscription): Pick<AutomaticPayment, 'recipient' | 'price'> {
    const { unit, count } = this.#context.store.getRecord('plan', planId).interval;
    const period = count === 1 ? PERIODS[unit] : `${count} ${PERIODS[unit]}s`;
    return { recipient: brandName, price: `${formatPrice(price)} every ${period}` };
  }

  /** Approves a subscription, as the buyer does on the approval page. */
  approveSubscription(
    id: string,
    { buyer = DEFAULT_BUYER, funding = 'balance' }: ApprovalOptions = {},
  ): void {
    const subscription = this.getSubscription(id);
    if (subscription.status !== 'APPROVAL_PENDING')
      throw new StateError(`Subscription ${id} is ${subscription.status} and cannot be approved.`);
    subscription.buyer = buyer;
    subscription.funding = funding;
    subscription.nextBillingTime = subscription.startTime;
    this.#setStatusAndNote(subscription, 'APPROVED');
    if (subscription.activatesOnApproval) this.#activateAndCharge(subscription);
  }

  /**
   * Activates a subscription.
   * @throws UnprocessableError unless the subscription is approved or suspended.
   */
  activateSubscription(id: string, note?: string): void {
    const subscription = this.getSubscription(id);
    if (subscription.status !== 'APPROVED') assertStatusPermits('activate', subscription);
    this.#activateAndCharge(subscription, note);
  }

  /**
   * Suspends a subscription.
   * @throws UnprocessableError unless the subscription is active.
   */
  suspendSubscription(id: string, note?: string): void {
    const subscription = this.getSubscription(id);
    assertStatusPermits('suspend', subscription);
    this.#setStatusAndNote(subscription, 'SUSPENDED', note);
    this.#recordEvent('SUSPENDED', subscription);
  }

  /**
   * Cancels a subscription.
   * @throws UnprocessableError unless the subscription is active or suspended.
   */
  cancelSubscription(id: string, note?: string): void {
    const subscription = this.getSubscription(id);
    assertStatusPermits('cancel', subscription);
    delete subscription.nextBillingTime;
    this.#setStatusAndNote(subscription, 'CANCELLED', note);
    this.#recordEvent('CANCELLED', subscription);
  }

  /** Ends a subscription, as PayPal does after the last period. */
  expireSubscription(id: string): void {
    const subscription = this.getSubscription(id);
    delete subscription.nextBillingTime;
    this.#setStatusAndNote(subscription, 'EXPIRED');
    this.#recordEvent('EXPIRED', subscription);
  }

  /** Changes the amount of future payments, as the seller can with the plan's pricing. */
  changeAmount(id: string, units: number): void {
    const subscription = this.getSubscription(id);
    const amount = { currency: subscription.price.currency, units };
    Object.assign(subscription, { price: amount, unitPrice: amount });
  }

  /** Bills the next period. The funding source determines whether the payment succeeds. */
  billNextPeriod(id: string): void {
    const { funding, lastPayment } = this.getSubscription(id);
    const isDeclined = funding === 'declined' || (funding === 'expiring' && lastPayment);
    if (isDeclined) this.failRenewal(id);
    else this.renewSubscription(id);
  }

  /** Bills the next period. Includes the outstanding balance if the plan's settings require it. */
  renewSubscription(id: string): Payment {
    const subscription = this.getSubscription(id);
    if (subscription.status !== 'ACTIVE')
      throw new StateError(`Subscription ${id} is ${subscription.status} and cannot be renewed.`);
    const plan = this.#context.store.getRecord('plan', subscription.planId);
    const outstanding = plan.billsOutstanding ? subscription.outstanding.units : 0;
    const payment = this.#chargeBuyer(subscription, {
      currency: subscription.price.currency,
      units: subscription.price.units + outstanding,
    });
    subscription.outstanding = {
      currency: subscription.price.currency,
      units: subscription.outstanding.units - outstanding,
    };
    subscription.failedPayments = 0;
    this.#startNextCycle(subscription);
    return payment;
  }

  /**
   * Bills the next period with a payment that fails. Suspends the subscription when the number of
   * failures reaches the plan's threshold.
   */
  failRenewal(id: string): void {
    const subscription = this.getSubscription(id);
    if (subscription.status !== 'ACTIVE')
      throw new StateError(`Subscription ${id} is ${subscription.status} and cannot be renewed.`);
    const { store, getTime } = this.#context;
    const { price, outstanding } = subscription;
    subscription.outstanding = {
      currency: price.currency,
      units: outstanding.units + price.units,
    };
    subscription.failedPayments += 1;
    subscription.lastFailedPayment = { amount: price, time: getTime() };
    subscription.updateTime = getTime();
    this.#recordEvent('PAYMENT.FAILED', subscription);
    this.#startNextCycle(subscription);
    const { failureThreshold } = store.getRecord('plan', subscription.planId);
    if (failureThreshold > 0 && subscription.failedPayments >= failureThreshold) {
      this.#setStatusAndNote(subscription, 'SUSPENDED');
      this.#recordEvent('SUSPENDED', subscription);
    }
  }

  /**
   * Charges all or part of the outstanding balance.
   * @throws UnprocessableError if the amount exceeds the balance.
   */
  chargeOutstandingBalance(id: string, money: Money): Payment {
    const subscription = this.getSubscription(id);
    assertStatusPermits('capture', subscription);
    const amount = parsePrice(money, '/amount');
    const { outstanding } = subscription;
    if (amount.currency !== outstanding.currency)
      throw new UnprocessableError('CURRENCY_MISMATCH', {
        description: "The currency code is different from the subscription's currency code.",
      });
    if (outstanding.units === 0) throw new UnprocessableError('ZERO_OUTSTANDING_BALANCE');
    if (amount.units > outstanding.units)
      throw new UnprocessableError('AMOUNT_GREATER_THAN_OUTSTANDING_BALANCE');
    subscription.outstanding = {
      currency: outstanding.currency,
      units: outstanding.units - amount.units,
    };
    return this.#chargeBuyer(subscription, amount);
  }

  /** Lists the subscription's payments in the given period, oldest first. */
  listPayments(id: string, from: string, to: string): Payment[] {
    const { store } = this.#context;
    const subscription = this.getSubscription(id);
    return store
      .listRecords('payment')
      .filter(
        ({ subscriptionId, createTime }) =>
          subscriptionId === subscription.id &&
          Date.parse(createTime) >= Date.parse(from) &&
          Date.parse(createTime) <= Date.parse(to),
      );
  }

  serializeSubscription(subscription: Subscription): object {
    return serializeSubscription(subscription, this.#context.getBaseUrl());
  }

  /**
   * Returns a subscription with its plan. If the subscription overrides the plan's price, the plan
   * contains the subscription's price.
   */
  serializeSubscriptionWithPlan(subscription: Subscription): object {
    const { request, interval } = this.#context.store.getRecord('plan', subscription.planId);
    const { name, product_id, payment_preferences, quantity_supported = false } = request;
    return {
      ...this.serializeSubscription(subscription),
      plan: {
        name,
        product_id,
        payment_preferences,
        quantity_supported,
        billing_cycles: [
          {
            pricing_scheme: { version: 1, fixed_price: formatMoney(subscription.unitPrice) },
            frequency: { interval_unit: interval.unit, interval_count: interval.count },
            tenure_type: 'REGULAR',
            sequence: 1,
            total_cycles: subscription.totalCycles,
          },
        ],
      },
    };
  }

  /**
   * Activates a subscription. If the subscription is new and has reached its start time, charges
   * the first payment.
   */
  #activateAndCharge(subscription: Subscription, note?: string): void {
    const isFirst = subscription.status === 'APPROVED';
    this.#setStatusAndNote(subscription, 'ACTIVE', note);
    subscription.failedPayments = 0;
    this.#recordEvent(isFirst ? 'ACTIVATED' : 'RE-ACTIVATED', subscription);
    const startsNow = Date.parse(subscription.startTime) <= Date.parse(this.#context.getTime());
    if (!isFirst || !startsNow) return;
    this.billNextPeriod(subscription.id);
  }

  #chargeBuyer(subscription: Subscription, amount: Amount): Payment {
    const isPending = subscription.funding === 'echeck';
    const payment = this.#payments.insertPayment({
      subscriptionId: subscription.id,
      status: isPending ? 'PENDING' : 'COMPLETED',
      ...(isPending && { statusReason: 'ECHECK' }),
      amount,
      customId: subscription.customId,
      invoiceId: undefined,
      description: undefined,
      buyer: subscription.buyer!,
    });
    subscription.lastPayment = { amount, time: payment.createTime };
    subscription.updateTime = payment.createTime;
    return payment;
  }

  /** Starts the next period, or ends the subscription after the last one. */
  #startNextCycle(subscription: Subscription): void {
    const { interval } = this.#context.store.getRecord('plan', subscription.planId);
    subscription.cyclesCompleted += 1;
    subscription.nextBillingTime = addInterval(
      subscription.nextBillingTime ?? subscription.startTime,
      interval,
    );
    const { totalCycles, cyclesCompleted, id } = subscription;
    if (totalCycles > 0 && cyclesCompleted >= totalCycles) this.expireSubscription(id);
  }

  #setStatusAndNote(
    subscription: Subscription,
    status: Subscription['status'],
    note?: string,
  ): void {
    const time = this.#context.getTime();
    subscription.status = status;
    subscription.statusTime = time;
    subscription.updateTime = time;
    if (note === undefined) delete subscription.statusNote;
    else subscription.statusNote = note;
  }

  #recordEvent(type: string, subscription: Subscription): void {
    this.#context.events.recordEvent(`BILLING.SUBSCRIPTION.${type}`, 'subscription', () =>
      this.serializeSubscription(subscription),
    );
  }
}

/**
 * Returns the price of one unit: the plan's price or the subscription's override.
 * @throws UnprocessableError if the plan does not allow the override.
 */
function getUnitPrice({ plan: override, quantity }: SubscriptionRequest, plan: Plan): Amount {
  const [cycle] = override?.billing_cycles ?? [];
  if (cycle && cycle.sequence !== 1)
    throw new UnprocessableError('INVALID_BILLING_CYCLE_SEQUENCE', {
      description: 'The provided billing cycle sequence is not available.',
    });
  if (quantity !== undefined && !plan.acceptsQuantity)
    throw new UnprocessableError('SUBSCRIPTION_CANNOT_HAVE_QUANTITY', {
      description: "Subscription can't have quantity as the plan does not support quantity.",
    });
  const money = cycle?.pricing_scheme?.fixed_price;
  if (money && money.currency_code !== plan.price.currency)
    throw new UnprocessableError('CURRENCY_MISMATCH', {
      description: "The currency code is different from the plan's currency code.",
    });
  return money
    ? parsePrice(money, '/plan/billing_cycles/0/pricing_scheme/fixed_price')
    : plan.price;
}

/** @throws UnprocessableError if the subscription's status does not allow the action. */
function assertStatusPermits(action: keyof typeof ACTIONS, { status }: Subscription): void {
  const { from, expected } = ACTIONS[action];
  if (!(from as readonly string[]).includes(status))
    throw new UnprocessableError('SUBSCRIPTION_STATUS_INVALID', {
      description: `Invalid subscription status for ${action} action; subscription status should be ${expected}.`,
    });
}
