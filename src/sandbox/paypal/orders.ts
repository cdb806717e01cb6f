import type { JsonObject } from '../lib/request-parsing.ts';
import { DeclinedError, NotFoundError, StateError, UnprocessableError } from './api-error.ts';
import { DEFAULT_BUYER } from './buyers.ts';
import { createLink, type PayPalContext } from './context.ts';
import { createId } from './ids.ts';
import { type Amount, formatPrice, type Money, parseAmount } from './money.ts';
import { addUrlParameters, type Approval } from './pages/approval.ts';
import type { Payments } from './payments.ts';
import type { Buyer, Funding, Order } from './records.ts';

export interface ApprovalOptions {
  readonly buyer?: Buyer;
  /** Default: `balance`. */
  readonly funding?: Funding;
}

/** A request to create an order, after validation by `ORDER_SHAPE`. */
export interface OrderRequest {
  readonly purchase_units: readonly {
    readonly amount: Money & {
      readonly breakdown?: Readonly<Record<string, Money>>;
    };
    readonly custom_id?: string;
    readonly invoice_id?: string;
    readonly description?: string;
  }[];
  readonly payment_source?: {
    readonly paypal?: { readonly experience_context?: ExperienceContext };
    readonly venmo?: { readonly experience_context?: ExperienceContext };
  };
  readonly application_context?: ExperienceContext;
}

interface ExperienceContext {
  readonly brand_name?: string;
  readonly return_url?: string;
  readonly cancel_url?: string;
  readonly user_action?: 'CONTINUE' | 'PAY_NOW';
  readonly payment_method_preference?: 'UNRESTRICTED' | 'IMMEDIATE_PAYMENT_REQUIRED';
}

/** Time limit for approving an order, and for capturing an approved order, in milliseconds. */
const LIFETIME = 3 * 3_600_000;
const BREAKDOWN_SIGNS: Readonly<Record<string, 1 | -1>> = {
  item_total: 1,
  tax_total: 1,
  shipping: 1,
  handling: 1,
  insurance: 1,
  shipping_discount: -1,
  discount: -1,
};

/** Orders v2 (developer.paypal.com/docs/api/orders/v2). */
export class Orders {
  readonly #context: PayPalContext;
  readonly #payments: Payments;
  readonly #listsReversals: boolean;
  readonly #nextDeclines: string[] = [];

  constructor(
    context: PayPalContext,
    payments: Payments,
    { listsReversals }: { readonly listsReversals: boolean },
  ) {
    this.#context = context;
    this.#payments = payments;
    this.#listsReversals = listsReversals;
  }

  /**
   * Creates an order.
   * @throws UnprocessableError if PayPal would not create the order.
   */
  createOrder(request: OrderRequest): Order {
    const { store, getTime } = this.#context;
    const [unit] = request.purchase_units;
    const amount = parseAmount(unit!.amount, '/purchase_units/0/amount');
    assertBreakdownMatches(unit!.amount, amount.units);
    this.#assertNewInvoice(unit!.invoice_id);
    const source = request.payment_source;
    const sourceContext = source?.paypal?.experience_context ?? source?.venmo?.experience_context;
    const experience = { ...request.application_context, ...sourceContext };
    const requestedSource = getRequestedSource(source);
    if (requestedSource === 'venmo' && !this.#canUseVenmo(amount))
      throw new UnprocessableError('PAYMENT_SOURCE_CANNOT_BE_USED');
    const time = getTime();
    return store.insertRecord<Order>({
      kind: 'order',
      id: createId(),
      status: requestedSource ? 'PAYER_ACTION_REQUIRED' : 'CREATED',
      purchaseUnit: unit as unknown as JsonObject,
      amount,
      customId: unit!.custom_id,
      invoiceId: unit!.invoice_id,
      description: unit!.description,
      requestedSource,
      brandName: experience.brand_name,
      returnUrl: experience.return_url,
      cancelUrl: experience.cancel_url,
      paysNow: experience.user_action === 'PAY_NOW',
      requiresImmediatePayment:
        experience.payment_method_preference === 'IMMEDIATE_PAYMENT_REQUIRED',
      createTime: time,
      updateTime: time,
    });
  }

  /**
   * Returns an order.
   * @throws NotFoundError if the order does not exist or has expired.
   */
  getOrder(id: string): Order {
    const { store, getTime } = this.#context;
    const order = store.getRecord('order', id);
    const isOpen = order.status !== 'COMPLETED' && order.status !== 'VOIDED';
    if (isOpen && Date.parse(order.updateTime) + LIFETIME <= Date.parse(getTime()))
      throw new NotFoundError();
    return order;
  }

  /** Approves an order, as the buyer does on the approval page. */
  approveOrder(
    id: string,
    { buyer = DEFAULT_BUYER, funding = 'balance' }: ApprovalOptions = {},
  ): void {
    const order = this.getOrder(id);
    if (order.status === 'COMPLETED' || order.status === 'VOIDED')
      throw new StateError(`Order ${id} is ${order.status} and cannot be approved.`);
    if (!this.listFundingSources(order).includes(funding))
      throw new StateError(`Order ${id} cannot be paid by ${funding}.`);
    order.status = 'APPROVED';
    order.buyer = buyer;
    order.funding = funding;
    order.updateTime = this.#context.getTime();
    this.#context.events.recordEvent('CHECKOUT.ORDER.APPROVED', 'checkout-order', () =>
      this.serializeOrder(order),
    );
  }

  /** Lists the funding sources that a buyer can use to pay an order. */
  listFundingSources(order: Order): Funding[] {
    if (order.requestedSource === 'venmo') return ['venmo'];
    return [
      'balance',
      ...(order.requiresImmediatePayment ? [] : (['echeck'] as const)),
      ...(this.#canUseVenmo(order.amount) ? (['venmo'] as const) : []),
      'declined',
    ];
  }

  /** Declines the next captures of approved orders, one capture for each given issue. */
  declineNextCaptures(...issues: readonly string[]): void {
    this.#nextDeclines.push(...issues);
  }

  /**
   * Captures an approved order.
   * @throws UnprocessableError if the order is not approved, or is already captured.
   * @throws DeclinedError if the payment is declined.
   */
  captureOrder(id: string): Order {
    const order = this.getOrder(id);
    const { faults, events, getTime } = this.#context;
    if (order.captureId !== undefined) throw new UnprocessableError('ORDER_ALREADY_CAPTURED');
    if (order.status !== 'APPROVED' || !order.buyer)
      throw new UnprocessableError('ORDER_NOT_APPROVED');
    this.#assertNewInvoice(order.invoiceId);
    const decline =
      this.#nextDeclines.shift() ??
      (order.funding === 'declined' || faults.consumeFault('decline')
        ? 'INSTRUMENT_DECLINED'
        : undefined);
    if (decline !== undefined)
      throw new DeclinedError(
        decline,
        // The buyer can choose another funding source for the same order.
        decline === 'INSTRUMENT_DECLINED'
          ? [{ href: this.getApprovalUrl(order), rel: 'redirect', method: 'GET' }]
          : [],
      );
    const isPending = order.funding === 'echeck';
    order.status = 'COMPLETED';
    order.updateTime = getTime();
    const payment = this.#payments.insertPayment({
      orderId: order.id,
      status: isPending ? 'PENDING' : 'COMPLETED',
      ...(isPending && { statusReason: 'ECHECK' }),
      amount: order.amount,
      customId: order.customId,
      invoiceId: order.invoiceId,
      description: order.description,
      buyer: order.buyer,
    });
    order.captureId = payment.id;
    if (!isPending)
      events.recordEvent('CHECKOUT.ORDER.COMPLETED', 'checkout-order', () =>
        this.serializeOrder(order),
      );
    return order;
  }

  /**
   * Returns the contents of an order's approval page.
   * @throws NotFoundError if the order does not exist or has expired.
   */
  findApproval(id: string): Approval {
    const order = this.getOrder(id);
    const { brandName = 'the website', amount, returnUrl, cancelUrl, description } = order;
    return {
      recipient: brandName,
      price: formatPrice(amount),
      description,
      isOpen: order.status !== 'COMPLETED' && order.status !== 'VOIDED',
      fundings: this.listFundingSources(order),
      action: order.paysNow ? 'Pay now' : 'Continue',
      cancelUrl: addUrlParameters(cancelUrl, { token: id }),
      approvePayment: (buyer, funding) => {
        this.approveOrder(id, { buyer, funding });
        return addUrlParameters(returnUrl, { token: id, PayerID: buyer.payerId });
      },
    };
  }

  /** Removes an order, as PayPal does if the order is not approved and captured in time. */
  expireOrder(id: string): void {
    this.#context.store.deleteRecord(this.getOrder(id).id);
  }

  getApprovalUrl(order: Order): string {
    return `${this.#context.getBaseUrl()}/checkoutnow?token=${order.id}`;
  }

  /** Returns all fields of an order. */
  serializeOrder(order: Order): object {
    const { store } = this.#context;
    const payment =
      order.captureId === undefined ? undefined : store.getRecord('payment', order.captureId);
    const refunds = (payment ? this.#payments.listRefunds(payment) : []).filter(
      ({ isReversal }) => this.#listsReversals || !isReversal,
    );
    return {
      ...this.serializeMinimalOrder(order),
      intent: 'CAPTURE',
      ...(order.buyer && { payer: serializePayer(order.buyer) }),
      purchase_units: [
        {
          reference_id: 'default',
          ...order.purchaseUnit,
          payee: { email_address: 'donations@example.org', merchant_id: '8LTDXJFC8MCGA' },
          ...(payment && {
            payments: {
              captures: [this.#payments.serializeCapture(payment)],
              ...(refunds.length > 0 && {
                refunds: refunds.map((refund) => this.#payments.serializeRefund(refund)),
              }),
            },
          }),
        },
      ],
      create_time: order.createTime,
      update_time: order.updateTime,
    };
  }

  /**
   * Returns the fields of an order that API calls return by default: ID, status, payment source,
   * and links.
   */
  serializeMinimalOrder(order: Order): object {
    const { id, status } = order;
    const url = `${this.#context.getBaseUrl()}/v2/checkout/orders/${id}`;
    const approval = createLink(
      this.getApprovalUrl(order),
      order.requestedSource ? 'payer-action' : 'approve',
    );
    const source = serializePaymentSource(order);
    return {
      id,
      status,
      ...(source && { payment_source: source }),
      links: [
        createLink(url, 'self'),
        ...(status === 'COMPLETED' || status === 'VOIDED'
          ? []
          : [approval, createLink(`${url}/capture`, 'capture', 'POST')]),
      ],
    };
  }

  /** Returns the fields of an order that the API returns by default when it captures the order. */
  serializeCapturedOrder(order: Order): object {
    const { store } = this.#context;
    return {
      ...this.serializeMinimalOrder(order),
      payer: serializePayer(order.buyer!),
      purchase_units: [
        {
          reference_id: 'default',
          ...(typeof order.purchaseUnit.reference_id === 'string' && {
            reference_id: order.purchaseUnit.reference_id,
          }),
          payments: {
            captures: [
              this.#payments.serializeCapture(store.getRecord('payment', order.captureId!)),
            ],
          },
        },
      ],
    };
  }

  /** Venmo requires a US seller and US dollars. */
  #canUseVenmo({ currency }: Amount): boolean {
    return this.#context.country === 'US' && currency === 'USD';
  }

  /**
   * Checks that an invoice ID is unused.
   * @throws UnprocessableError if a completed payment already has the invoice ID.
   */
  #assertNewInvoice(invoiceId: string | undefined): void {
    const isUsed =
      invoiceId !== undefined &&
      this.#context.store.listRecords('payment').some((payment) => payment.invoiceId === invoiceId);
    if (isUsed) throw new UnprocessableError('DUPLICATE_INVOICE_ID');
  }
}

function getRequestedSource(source: OrderRequest['payment_source']): Order['requestedSource'] {
  if (source?.venmo) return 'venmo';
  return source?.paypal ? 'paypal' : undefined;
}

/**
 * Checks the parts of an amount.
 * @throws UnprocessableError if the parts do not add up to the amount.
 */
function assertBreakdownMatches(
  { currency_code: currency, breakdown = {} }: OrderRequest['purchase_units'][0]['amount'],
  units: number,
): void {
  const parts = Object.entries(breakdown);
  if (parts.some(([, { currency_code }]) => currency_code !== currency))
    throw new UnprocessableError('MULTI_CURRENCY_ORDER');
  const total = parts.reduce(
    (sum, [name, money]) =>
      sum +
      (BREAKDOWN_SIGNS[name] ?? 0) *
        (Number(money.value) === 0
          ? 0
          : parseAmount(money, `/purchase_units/0/amount/breakdown/${name}`).units),
    0,
  );
  if (parts.length > 0 && total !== units) throw new UnprocessableError('AMOUNT_MISMATCH');
}

function serializePayer({ payerId, email, givenName, surname, countryCode }: Buyer): object {
  return {
    name: { given_name: givenName, surname },
    email_address: email,
    payer_id: payerId,
    address: { country_code: countryCode },
  };
}

function serializePaymentSource({ buyer, funding, requestedSource }: Order): object | undefined {
  if (!buyer) return requestedSource && { [requestedSource]: {} };
  const { payerId, email, givenName, surname, countryCode } = buyer;
  const account = {
    email_address: email,
    account_id: payerId,
    name: { given_name: givenName, surname },
    address: { country_code: countryCode },
  };
  return funding === 'venmo'
    ? { venmo: { ...account, user_name: `${givenName}-${surname}` } }
    : { paypal: { ...account, account_status: 'VERIFIED' } };
}
