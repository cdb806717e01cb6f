import { createHmac } from 'node:crypto';
import type { Database } from '../data/database.ts';
import type { Delivery } from '../webhooks/delivery.ts';
import { newId } from './ids.ts';

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

/** The ids of what an event is about. */
export interface EventSubject {
  readonly payment?: string;
  readonly subscription?: string;
  readonly refund?: string;
  readonly dispute?: string;
}

/** Notes what happened, as a part of the change that it happened in. */
export type Tell = (type: EventType, subject: EventSubject, at: Date) => void;

export interface EventsOptions {
  readonly database: Database;
  readonly delivery: Delivery;
  readonly url: string;
  readonly secret: string;
}

/**
 * What a server is to hear. It is kept until it was delivered or given up, so that a restart loses
 * none of it.
 */
export class Events {
  readonly #options: EventsOptions;
  #latest = 0;

  constructor(options: EventsOptions) {
    this.#options = options;
  }

  readonly tell: Tell = (type, subject, at) => {
    const body = JSON.stringify({ id: newId('evt'), type, ...subject, created: at.toISOString() });
    this.#options.database.run('INSERT INTO processorEvents (body) VALUES (?)', body);
  };

  /**
   * Sends what was noted since it was called last, and what an earlier run left. To be called when
   * the changes are kept.
   */
  send(): void {
    const { database, delivery, url, secret } = this.#options;
    for (const { seq, body } of database.all<{ seq: number; body: string }>(
      'SELECT seq, body FROM processorEvents WHERE seq > ? ORDER BY seq',
      this.#latest,
    )) {
      this.#latest = seq;
      delivery.send({
        to: url,
        write: () => ({
          url,
          body,
          headers: {
            'Content-Type': 'application/json',
            'Sandbox-Signature': sign(body, secret, Math.floor(Date.now() / 1_000)),
          },
        }),
        ended: () => {
          database.run('DELETE FROM processorEvents WHERE seq = ?', seq);
        },
      });
    }
  }
}

/**
 * Signs an event's body for a moment of real time, so that a receiver can refuse what is old.
 * @param time Unix time in seconds.
 */
function sign(body: string, secret: string, time: number): string {
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`;
}
