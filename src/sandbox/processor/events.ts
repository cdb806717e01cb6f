import { createHmac } from 'node:crypto';
import type { Database } from '../data/database.ts';
import type { DeliveryQueue } from '../webhooks/delivery-queue.ts';
import { createId } from './ids.ts';

export type EventType =
  | 'payment.succeeded'
  | 'payment.pending'
  | 'payment.failed'
  | 'payment.canceled'
  | 'payment.refunded'
  | 'dispute.opened'
  | 'dispute.won'
  | 'dispute.lost'
  | 'subscription.renewed'
  | 'subscription.renewal-failed'
  | 'subscription.cancelled';

/** IDs of the objects that an event is about. */
export interface EventSubject {
  readonly payment?: string;
  readonly subscription?: string;
  readonly refund?: string;
  readonly dispute?: string;
}

/** Records an event in the current transaction. */
export type RecordEvent = (type: EventType, subject: EventSubject, at: Date) => void;

export interface EventOutboxOptions {
  readonly database: Database;
  readonly deliveryQueue: DeliveryQueue;
  readonly url: string;
  readonly secret: string;
}

/**
 * Outbox of the processor's webhooks. An event is stored until it is delivered or its retries are
 * exhausted, so it survives a restart.
 */
export class EventOutbox {
  readonly #options: EventOutboxOptions;
  #lastSent = 0;

  constructor(options: EventOutboxOptions) {
    this.#options = options;
  }

  readonly record: RecordEvent = (type, subject, at) => {
    const body = JSON.stringify({
      id: createId('evt'),
      type,
      ...subject,
      created: at.toISOString(),
    });
    this.#options.database.execute('INSERT INTO processorEvents (body) VALUES (?)', body);
  };

  /**
   * Queues the events recorded since the last call and those left by an earlier run. Must be called
   * after the transaction is committed.
   */
  sendPending(): void {
    const { database, deliveryQueue, url, secret } = this.#options;
    for (const { seq, body } of database.queryAll<{ seq: number; body: string }>(
      'SELECT seq, body FROM processorEvents WHERE seq > ? ORDER BY seq',
      this.#lastSent,
    )) {
      this.#lastSent = seq;
      deliveryQueue.enqueueDelivery({
        receiver: url,
        createRequest: () => ({
          url,
          body,
          headers: {
            'Content-Type': 'application/json',
            'Sandbox-Signature': signEvent(body, secret, Math.floor(Date.now() / 1_000)),
          },
        }),
        onFinished: () => {
          database.execute('DELETE FROM processorEvents WHERE seq = ?', seq);
        },
      });
    }
  }
}

/**
 * Signs an event's body with the real time, so that the receiver can reject old events.
 * @param time Unix time in seconds.
 */
function signEvent(body: string, secret: string, time: number): string {
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`;
}
