import type { Transaction } from 'kysely';
import { createPreparedInsert } from '../database/prepared-insert.ts';
import type { OutboxEvent, Tables } from '../database/schema.ts';

/**
 * An outbox event to insert. If `dispatched_at` is set, the platform may already have the gift, so
 * the relay looks up the gift first.
 */
export type NewEvent = Pick<OutboxEvent, 'id' | 'reference' | 'kind'> &
  Partial<Pick<OutboxEvent, 'parent_reference' | 'payment_id' | 'payload' | 'dispatched_at'>>;

/** Notifies the organizations' own servers of donation events. */
export interface OutboundWebhooks {
  /** Inserts the webhook messages for a new event, in the event's transaction. */
  enqueueMessages(transaction: Transaction<Tables>, event: OutboxEvent): Promise<void>;
  /** Sends an organization's due messages in the background. */
  wakeWorkers(organization: string): void;
}

/** Inserts events within the given transaction. Skips events with IDs that already exist. */
export type EventInserter = (
  transaction: Transaction<Tables>,
  organization: string,
  events: readonly NewEvent[],
  now: number,
) => Promise<void>;

const insertIfNew = createPreparedInsert('outbox', 'id');

export function createOutboxEventInserter(outboundWebhooks?: OutboundWebhooks): EventInserter {
  return async (transaction, organization, events, now) => {
    for (const [index, event] of events.entries()) {
      const complete = {
        parent_reference: null,
        payment_id: null,
        payload: {},
        dispatched_at: null,
        ...event,
      };
      const row: OutboxEvent = {
        ...complete,
        happened_at: complete.payload.at ?? now,
        organization,
        status: 'pending',
        platform_gift_id: null,
        attempts: 0,
        next_run_at: now,
        locked_until: 0,
        last_error: null,
        created_at: now + index,
        updated_at: now,
      };
      if (await insertIfNew(transaction, { ...row, payload: JSON.stringify(row.payload) }))
        await outboundWebhooks?.enqueueMessages(transaction, row);
    }
  };
}
