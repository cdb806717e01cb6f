import { createHmac } from 'node:crypto';
import { Stripe } from 'stripe';
import { answerOf } from './expand.ts';
import { newId, type Kept, type Store } from './store.ts';

export interface Delivery {
  /** Those made so far, where nothing else is said. */
  readonly events?: readonly Stripe.Event[];
  /** How often each is sent. */
  readonly times?: number;
  readonly order?: 'as made' | 'reversed' | 'shuffled';
  /** What they are signed with. */
  readonly secret?: string;
  /** When they were signed, in seconds since 1970. */
  readonly timestamp?: number;
}

export class Events {
  readonly #store: Store;
  readonly #secret: string;

  constructor(store: Store, secret: string) {
    this.#store = store;
    this.#secret = secret;
  }

  get made(): Stripe.Event[] {
    return this.#store.all('event');
  }

  /** Keeps what happened, with the thing as it is at this moment. */
  add(type: Stripe.Event['type'], thing: Kept, before?: object): void {
    const object = JSON.parse(
      JSON.stringify(answerOf(this.#store, thing, [])),
    ) as Stripe.Event.Data.Object;
    this.#store.keep({
      id: newId('evt'),
      object: 'event',
      api_version: Stripe.API_VERSION,
      created: this.#store.time,
      livemode: false,
      pending_webhooks: 1,
      request: { id: newId('req', 14), idempotency_key: null },
      type,
      data: { object, ...(before && { previous_attributes: before }) },
    } as Stripe.Event);
  }

  /** Sends events as Stripe would, one after the other. @returns the statuses that came back. */
  async deliver(
    url: string,
    {
      events = this.made,
      times = 1,
      order = 'as made',
      secret = this.#secret,
      timestamp = Math.floor(Date.now() / 1_000),
    }: Delivery = {},
  ): Promise<number[]> {
    const statuses: number[] = [];
    for (const event of inOrder(
      events.flatMap((one) => Array.from({ length: times }, () => one)),
      order,
    )) {
      const body = JSON.stringify(event, null, 2);
      const response = await fetch(url, {
        method: 'POST',
        body,
        headers: {
          'Content-Type': 'application/json; charset=utf-8',
          'User-Agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
          'Stripe-Signature': signature(body, secret, timestamp),
        },
      });
      await response.body?.cancel();
      statuses.push(response.status);
    }
    return statuses;
  }
}

function signature(body: string, secret: string, timestamp: number): string {
  return `t=${timestamp},v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}

function inOrder<Thing>(things: readonly Thing[], order: Required<Delivery>['order']): Thing[] {
  if (order === 'reversed') return things.toReversed();
  if (order === 'as made') return [...things];
  return things
    .map((thing) => ({ thing, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ thing }) => thing);
}
