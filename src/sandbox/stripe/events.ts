import { createHmac } from 'node:crypto';
import { Stripe } from 'stripe';
import { toResponseObject } from './expand.ts';
import { createId } from './ids.ts';
import type { Store, StripeObject } from './store.ts';

export interface DeliveryOptions {
  /** Events to send. Default: all events so far. */
  readonly events?: readonly Stripe.Event[];
  /** Number of times to send each event. */
  readonly times?: number;
  readonly order?: 'original' | 'reversed' | 'shuffled';
  /** Signing secret. */
  readonly secret?: string;
  /** Time at which to sign the events, in Unix seconds. */
  readonly timestamp?: number;
}

export class EventLog {
  readonly #store: Store;
  readonly #secret: string;
  readonly #onEvent: (event: Stripe.Event) => void;

  /**
   * @param onEvent callback for each new event, which runs in the transaction that adds the event.
   */
  constructor(store: Store, secret: string, onEvent: (event: Stripe.Event) => void) {
    this.#store = store;
    this.#secret = secret;
    this.#onEvent = onEvent;
  }

  get all(): Stripe.Event[] {
    return this.#store.listObjects('event');
  }

  /** Adds an event with a snapshot of the affected object. */
  recordEvent(
    type: Stripe.Event['type'],
    subject: StripeObject,
    previousAttributes?: object,
  ): void {
    const object = JSON.parse(
      JSON.stringify(toResponseObject(this.#store, subject, [])),
    ) as Stripe.Event.Data.Object;
    const event = {
      id: createId('evt'),
      object: 'event',
      api_version: Stripe.API_VERSION,
      created: this.#store.now,
      livemode: false,
      pending_webhooks: 1,
      request: { id: createId('req', 14), idempotency_key: null },
      type,
      data: { object, ...(previousAttributes && { previous_attributes: previousAttributes }) },
    } as Stripe.Event;
    this.#store.saveObject(event);
    this.#onEvent(event);
  }

  /**
   * Sends events one at a time, as Stripe does.
   * @returns the HTTP status codes of the responses.
   */
  async deliverEvents(
    url: string,
    {
      events = this.all,
      times = 1,
      order = 'original',
      secret = this.#secret,
      timestamp = Math.floor(Date.now() / 1_000),
    }: DeliveryOptions = {},
  ): Promise<number[]> {
    const statuses: number[] = [];
    for (const event of applyDeliveryOrder(
      events.flatMap((event) => Array.from({ length: times }, () => event)),
      order,
    )) {
      const request = createWebhookRequest(event, secret, timestamp);
      const response = await fetch(url, { method: 'POST', ...request });
      await response.body?.cancel();
      statuses.push(response.status);
    }
    return statuses;
  }
}

/**
 * Creates the request that delivers an event.
 * @param timestamp time of the signature, in Unix seconds.
 */
export function createWebhookRequest(
  event: Stripe.Event,
  secret: string,
  timestamp: number,
): { readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  const body = JSON.stringify(event, null, 2);
  return {
    body,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'User-Agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      'Stripe-Signature': signPayload(body, secret, timestamp),
    },
  };
}

function signPayload(body: string, secret: string, timestamp: number): string {
  return `t=${timestamp},v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}

function applyDeliveryOrder<Item>(
  items: readonly Item[],
  order: Required<DeliveryOptions>['order'],
): Item[] {
  if (order === 'reversed') return items.toReversed();
  if (order === 'original') return [...items];
  return items
    .map((item) => ({ item, rank: Math.random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
