import type { Stripe } from 'stripe';
import type { Database } from '../data/database.ts';
import type { DeliveryQueue } from '../webhooks/delivery-queue.ts';
import { createWebhookRequest } from './events.ts';

export interface WebhookOutboxOptions {
  readonly database: Database;
  readonly deliveryQueue: DeliveryQueue;
  readonly url: string;
  readonly secret: string;
}

/**
 * Outbox for the emulator's webhooks. An event remains in the outbox, even after a restart, until
 * the event is delivered or has no retries left.
 */
export class WebhookOutbox {
  readonly #options: WebhookOutboxOptions;
  #lastSent = 0;

  constructor(options: WebhookOutboxOptions) {
    this.#options = options;
  }

  /** Adds an event in the current transaction, and queues the event after the commit. */
  readonly add = ({ id }: Stripe.Event): void => {
    this.#options.database.execute('INSERT INTO stripeDeliveries (event) VALUES (?)', id);
    queueMicrotask(() => this.enqueuePendingEvents());
  };

  /** Queues the events added since the last call, and the events left over from an earlier run. */
  enqueuePendingEvents(): void {
    const { database, deliveryQueue, url, secret } = this.#options;
    for (const { seq, record } of database.queryAll<{ seq: number; record: string }>(
      `SELECT stripeDeliveries.seq, record FROM stripeDeliveries
        JOIN stripeObjects ON stripeObjects.id = event
        WHERE stripeDeliveries.seq > ? ORDER BY stripeDeliveries.seq`,
      this.#lastSent,
    )) {
      this.#lastSent = seq;
      const event = JSON.parse(record) as Stripe.Event;
      deliveryQueue.enqueueDelivery({
        receiver: url,
        // Signs with the system time instead of the sandbox's time, because receivers reject events
        // with old timestamps.
        createRequest: () => ({
          url,
          ...createWebhookRequest(event, secret, Math.floor(Date.now() / 1_000)),
        }),
        onFinished: () => {
          database.execute('DELETE FROM stripeDeliveries WHERE seq = ?', seq);
        },
      });
    }
  }
}
