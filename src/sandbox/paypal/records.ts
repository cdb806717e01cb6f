import type { JsonObject } from '../lib/request-parsing.ts';
import type { Amount } from './money.ts';

/** A fictional PayPal account that pays. */
export interface Buyer {
  readonly payerId: string;
  readonly email: string;
  readonly givenName: string;
  readonly surname: string;
  readonly countryCode: string;
}

/**
 * Source of the buyer's money. `echeck` takes days to clear; `declined` is a card that is always
 * declined.
 */
export type Funding = 'balance' | 'echeck' | 'declined' | 'venmo';

export interface Order {
  readonly kind: 'order';
  readonly id: string;
  status: 'CREATED' | 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED' | 'VOIDED';
  /** The only purchase unit, as requested. */
  readonly purchaseUnit: JsonObject;
  readonly amount: Amount;
  readonly customId: string | undefined;
  readonly invoiceId: string | undefined;
  readonly description: string | undefined;
  /** Payment source in the request. */
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

/** A capture of an order, or a sale: the payment of one period of a subscription. */
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

/** Money that went back to the buyer: a refund by the seller, or a reversal by PayPal. */
export interface Refund {
  readonly kind: 'refund';
  readonly id: string;
  readonly paymentId: string;
  status: 'COMPLETED' | 'PENDING' | 'FAILED';
  readonly amount: Amount;
  readonly customId: string | undefined;
  readonly invoiceId: string | undefined;
  readonly note: string | undefined;
  readonly createTime: string;
  updateTime: string;
}

export interface RecordsByKind {
  order: Order;
  payment: Payment;
  refund: Refund;
}

export type StoredRecord = RecordsByKind[keyof RecordsByKind];
