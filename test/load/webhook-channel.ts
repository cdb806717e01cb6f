/** Delivers Stripe's webhooks, and loses, repeats, delays, and reorders them. */
import type { Stripe } from 'stripe';
import { createWebhookRequest } from '../../src/sandbox/stripe/events.ts';
import { STRIPE_WEBHOOK_EVENTS } from '../../src/server/payments/stripe/webhook.ts';

const LOSS_RATE = 0.03;
const REPEAT_RATE = 0.1;
const DELAY_RATE = 0.1;
/** Longest delay, in milliseconds. */
const MAX_DELAY = 3 * 86_400_000;
/** Number of deliveries after which Stripe gives up. */
const MAX_ATTEMPTS = 6;
/** Time until Stripe sends a webhook again that the server did not accept, in milliseconds. */
const RETRY_DELAY = 6 * 3_600_000;

interface Delivery {
  readonly event: Stripe.Event;
  readonly dueAt: number;
  readonly attempts: number;
}

type SendWebhook = (request: { readonly body: string; readonly headers: HeadersInit }) => Promise<{
  readonly status: number;
}>;

export class WebhookChannel {
  readonly #random: () => number;
  readonly #now: () => number;
  #queue: Delivery[] = [];
  #hasFaults = true;
  /** True while no webhook arrives. */
  isDown = false;
  delivered = 0;
  repeated = 0;
  lost = 0;

  constructor({ random, now }: { readonly random: () => number; readonly now: () => number }) {
    this.#random = random;
    this.#now = now;
  }

  /** Adds an event, or loses it. */
  add(event: Stripe.Event): void {
    if (!(STRIPE_WEBHOOK_EVENTS as readonly string[]).includes(event.type)) return;
    if (this.#hasFaults && (this.isDown || this.#random() < LOSS_RATE)) {
      this.lost += 1;
      return;
    }
    this.#enqueue(event);
    if (this.#hasFaults && this.#random() < REPEAT_RATE) {
      this.repeated += 1;
      this.#enqueue(event);
    }
  }

  endFaults(): void {
    this.#hasFaults = false;
    this.#queue = this.#queue.map((delivery) => ({ ...delivery, dueAt: 0 }));
  }

  /** Sends due webhooks in random order. Sends those that the server rejects again later. */
  async deliver(secret: string, send: SendWebhook): Promise<void> {
    const due = this.#queue.filter(({ dueAt }) => dueAt <= this.#now());
    this.#queue = this.#queue.filter(({ dueAt }) => dueAt > this.#now());
    for (const { event, attempts } of shuffle(due, this.#random)) {
      // The server's library compares the signature's time with the real clock.
      const timestamp = Math.floor(Date.now() / 1_000);
      const { status } = await send(createWebhookRequest(event, secret, timestamp));
      if (status < 300) this.delivered += 1;
      else if (attempts + 1 < MAX_ATTEMPTS)
        this.#queue.push({ event, attempts: attempts + 1, dueAt: this.#now() + RETRY_DELAY });
      else this.lost += 1;
    }
  }

  #enqueue(event: Stripe.Event): void {
    const isDelayed = this.#hasFaults && this.#random() < DELAY_RATE;
    const dueAt = this.#now() + (isDelayed ? this.#random() * MAX_DELAY : 0);
    this.#queue.push({ event, attempts: 0, dueAt });
  }
}

function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
