import { randomBytes } from 'node:crypto';
import type { Stripe } from 'stripe';
import { missing } from './refusal.ts';

/**
 * Everything that Stripe keeps, by what it calls itself. What it refers to stands in it as an id.
 */
export interface Kinds {
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
export type Kind = keyof Kinds;
export type Kept = Kinds[Kind];

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';

export const newId = (prefix: string, length = 24): string =>
  `${prefix}_${Array.from(randomBytes(length), (byte) => LETTERS[byte % LETTERS.length]).join('')}`;

/** What the fake remembers, in the order in which it came to be. */
export class Store {
  readonly #kept = new Map<string, Kept>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Seconds since 1970, as Stripe counts. */
  get time(): number {
    return Math.floor(this.#now() / 1_000);
  }

  keep<Thing extends Kept>(thing: Thing): Thing {
    this.#kept.set(thing.id, thing);
    return thing;
  }

  any(id: string): Kept | undefined {
    return this.#kept.get(id);
  }

  has(kind: Kind, id: string): boolean {
    return this.#kept.get(id)?.object === kind;
  }

  /** @throws a refusal, as Stripe answers where there is no such thing. */
  get<Name extends Kind>(
    kind: Name,
    id: string,
    { status = 404, param = 'id' }: { readonly status?: 400 | 404; readonly param?: string } = {},
  ): Kinds[Name] {
    const thing = this.#kept.get(id);
    if (thing?.object !== kind) throw missing(status, kind.replaceAll(/[._]/g, ' '), id, param);
    return thing as Kinds[Name];
  }

  all<Name extends Kind>(kind: Name): Kinds[Name][] {
    return [...this.#kept.values()].filter((thing): thing is Kinds[Name] => thing.object === kind);
  }
}

/** The id of what is kept elsewhere. */
export function idOf(reference: string | { readonly id?: string } | null | undefined): string {
  const id = typeof reference === 'string' ? reference : reference?.id;
  if (id === undefined) throw new Error('Nothing is referred to.');
  return id;
}
