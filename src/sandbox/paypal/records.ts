import type { JsonObject } from '../lib/request-parsing.ts';
import type { Amount } from './money.ts';

/** A fictional PayPal account that can make payments. */
export interface Buyer {
  readonly payerId: string;
  readonly email: string;
  readonly givenName: string;
  readonly surname: string;
  readonly countryCode: string;
}

/**
 * Funding source of the buyer's payment. An `echeck` takes days to clear, a `declined` card is
 * always declined, and an `expiring` card declines later payments.
 */
export type Funding = 'balance' | 'echeck' | 'declined' | 'expiring' | 'venmo';

export interface Order {
  readonly kind: 'order';
  readonly id: string;
  status: 'CREATED' | 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED' | 'VOIDED';
  /** The order's only purchase unit, as requested. */
  readonly purchaseUnit: JsonObject;
  readonly amount: Amount;
  readonly customId: string | undefined;
  readonly invoiceId: string | undefined;
  readonly description: string | undefined;
  /** Payment source from the request. */
  readonly requestedSource: 'paypal' | 'venmo' | undefined;
  readonly brandName: string | undefined;
  readonly returnUrl: string | undefined;
  readonly cancelUrl: string | undefined;
  readonly paysNow: boolean;
  readonly requiresImmediatePayment: boolean;
  buyer?: Buyer;
  funding?: Funding;
  captureId?: string;
  readonly createTime: string;
  updateTime: string;
}

/**
 * A payment: either the capture of an order, or a sale, which pays for one period of a
 * subscription.
 */
export interface Payment {
  readonly kind: 'payment';
  readonly id: string;
  readonly orderId?: string;
  readonly subscriptionId?: string;
  status: 'COMPLETED' | 'PENDING' | 'DECLINED' | 'PARTIALLY_REFUNDED' | 'REFUNDED';
  statusReason?: 'ECHECK' | 'BUYER_COMPLAINT' | 'CHARGEBACK';
  readonly amount: Amount;
  readonly customId: string | undefined;
  readonly invoiceId: string | undefined;
  readonly description: string | undefined;
  readonly buyer: Buyer;
  readonly createTime: string;
  updateTime: string;
}

/** Money returned to the buyer: a refund from the seller, or a reversal by PayPal. */
export interface Refund {
  readonly kind: 'refund';
  readonly id: string;
  readonly paymentId: string;
  /** True if PayPal reversed the payment in the buyer's favor. */
  readonly isReversal: boolean;
  status: 'COMPLETED' | 'PENDING' | 'FAILED';
  readonly amount: Amount;
  readonly customId: string | undefined;
  readonly invoiceId: string | undefined;
  readonly note: string | undefined;
  readonly createTime: string;
  updateTime: string;
}

export interface Dispute {
  readonly kind: 'dispute';
  readonly id: string;
  readonly paymentId: string;
  readonly reason:
    | 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED'
    | 'UNAUTHORISED'
    | 'DUPLICATE_TRANSACTION'
    | 'CANCELED_RECURRING_BILLING'
    | 'OTHER';
  readonly amount: Amount;
  outcome?: 'won' | 'lost';
  readonly createTime: string;
  updateTime: string;
}

export interface Product {
  readonly kind: 'product';
  readonly id: string;
  /** The product, as requested. */
  readonly request: JsonObject;
  readonly createTime: string;
}

export interface Plan {
  readonly kind: 'plan';
  readonly id: string;
  /** The plan, as requested. */
  readonly request: JsonObject;
  status: 'CREATED' | 'ACTIVE' | 'INACTIVE';
  readonly price: Amount;
  readonly interval: Interval;
  /** Number of periods, or 0 if the plan never ends. */
  readonly totalCycles: number;
  readonly acceptsQuantity: boolean;
  /** If true, the next period's payment includes the outstanding balance. */
  readonly billsOutstanding: boolean;
  /** Number of failed payments after which PayPal suspends a subscription, or 0 for no limit. */
  readonly failureThreshold: number;
  readonly createTime: string;
  updateTime: string;
}

export interface Interval {
  readonly unit: 'DAY' | 'WEEK' | 'MONTH' | 'YEAR';
  readonly count: number;
}

export interface Subscription {
  readonly kind: 'subscription';
  readonly id: string;
  readonly planId: string;
  status: 'APPROVAL_PENDING' | 'APPROVED' | 'ACTIVE' | 'SUSPENDED' | 'CANCELLED' | 'EXPIRED';
  statusNote?: string;
  statusTime: string;
  readonly customId: string | undefined;
  readonly quantity: string | undefined;
  readonly overridesPlan: boolean;
  readonly unitPrice: Amount;
  /** Price of one period: the unit price times the quantity. */
  readonly price: Amount;
  readonly totalCycles: number;
  readonly startTime: string;
  /** Token in the URL of the approval page. */
  readonly token: string;
  readonly brandName: string | undefined;
  readonly returnUrl: string | undefined;
  readonly cancelUrl: string | undefined;
  /** If false, the seller must activate the subscription after the buyer's approval. */
  readonly activatesOnApproval: boolean;
  buyer?: Buyer;
  funding?: Funding;
  cyclesCompleted: number;
  nextBillingTime?: string;
  /** Total amount of the failed payments that are still unpaid. */
  outstanding: Amount;
  failedPayments: number;
  lastPayment?: { readonly amount: Amount; readonly time: string };
  lastFailedPayment?: { readonly amount: Amount; readonly time: string };
  readonly createTime: string;
  updateTime: string;
}

export interface RecordsByKind {
  order: Order;
  payment: Payment;
  refund: Refund;
  dispute: Dispute;
  product: Product;
  plan: Plan;
  subscription: Subscription;
}

export type StoredRecord = RecordsByKind[keyof RecordsByKind];
