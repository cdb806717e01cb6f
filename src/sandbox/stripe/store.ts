import { randomBytes } from 'node:crypto';
import type { Stripe } from 'stripe';
import { createMissingError } from './stripe-error.ts';

/** Stored objects by the value of their `object` field. References to other objects are IDs. */
export interface ObjectsByType {
  payment_intent: Stripe.PaymentIntent;
  payment_method: Stripe.PaymentMethod;
  confirmation_token: Stripe.ConfirmationToken;
  charge: Stripe.Charge;
  balance_transaction: Stripe.BalanceTransaction;
  refund: Stripe.Refund;
  dispute: Stripe.Dispute;
  customer: Stripe.Customer;
  product: Stripe.Product;
  price: Stripe.Price;
  subscription: Stripe.Subscription;
  invoice: Stripe.Invoice;
  invoice_payment: Stripe.InvoicePayment;
  'checkout.session': Stripe.Checkout.Session;
  'billing_portal.configuration': Stripe.BillingPortal.Configuration;
  event: Stripe.Event;
}
export type ObjectType = keyof ObjectsByType;
export type StripeObject = ObjectsByType[ObjectType];

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';

export const createId = (prefix: string, length = 24): string =>
  `${prefix}_${Array.from(randomBytes(length), (byte) => LETTERS[byte % LETTERS.length]).join('')}`;

/** Stores the fake's objects in order of creation. */
export class Store {
  readonly #objects = new Map<string, StripeObject>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Current time in Unix seconds. */
  get now(): number {
    return Math.floor(this.#now() / 1_000);
  }

  save<SavedObject extends StripeObject>(object: SavedObject): SavedObject {
    this.#objects.set(object.id, object);
    return object;
  }

  find(id: string): StripeObject | undefined {
    return this.#objects.get(id);
  }

  has(type: ObjectType, id: string): boolean {
    return this.#objects.get(id)?.object === type;
  }

  /** @throws StripeApiError if the object does not exist. */
  get<Name extends ObjectType>(
    type: Name,
    id: string,
    { status = 404, param = 'id' }: { readonly status?: 400 | 404; readonly param?: string } = {},
  ): ObjectsByType[Name] {
    const object = this.#objects.get(id);
    if (object?.object !== type)
      throw createMissingError(status, type.replaceAll(/[._]/g, ' '), id, param);
    return object as ObjectsByType[Name];
  }

  list<Name extends ObjectType>(type: Name): ObjectsByType[Name][] {
    return [...this.#objects.values()].filter(
      (object): object is ObjectsByType[Name] => object.object === type,
    );
  }
}

/** Returns the ID of a reference, which may be expanded. */
export function getId(reference: string | { readonly id?: string } | null | undefined): string {
  const id = typeof reference === 'string' ? reference : reference?.id;
  if (id === undefined) throw new Error('The reference is missing.');
  return id;
}
