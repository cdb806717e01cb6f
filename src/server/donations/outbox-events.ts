import type { DonationStatus } from '@donation-form/core/donation';
import type { Insertable, Transaction } from 'kysely';
import { toGiftIdColumns } from '../database/row-mapper.ts';
import { createPreparedInsert } from '../database/prepared-insert.ts';
import type { OutboxEvent, OutboxRow, Tables, WebhookMessageRow } from '../database/schema.ts';

/**
 * An outbox event to insert. If `dispatchedAt` is set, the platform may already have the gift, so
 * the relay looks up the gift first.
 */
export type NewEvent = Pick<OutboxEvent, 'id' | 'reference' | 'kind'> &
  Partial<Pick<OutboxEvent, 'parentReference' | 'paymentId' | 'payload' | 'dispatchedAt'>>;

/** Notifies the organizations' own servers of donation events. */
export interface OutboundWebhooks {
  hasEndpoints(organization: string): boolean;
  /**
   * Builds the messages about a new event.
   * @param status the donation's status, for an event of kind `donation`.
   */
  buildMessages(event: OutboxEvent, status?: DonationStatus): readonly WebhookMessageRow[];
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
const insertMessageIfNew = createPreparedInsert('webhookMessages', 'id');

/** Completes an event to a row that is due now. */
export function buildOutboxRow(organization: string, event: NewEvent, now: number): OutboxEvent {
  return {
    parentReference: null,
    paymentId: null,
    payload: {},
    dispatchedAt: null,
    ...event,
    happenedAt: event.payload?.at ?? now,
    organization,
    status: 'pending',
    platformGiftId: null,
    attempts: 0,
    nextRunAt: now,
    lockedUntil: 0,
    lastError: null,
    createdAt: now,
    updatedAt: now,
  };
}

export function createOutboxEventInserter(outboundWebhooks?: OutboundWebhooks): EventInserter {
  return async (transaction, organization, events, now) => {
    for (const [index, event] of events.entries()) {
      // The relay sends events in the order of their creation times, so these must differ even if
      // one webhook reports the start and the end of a dispute within a millisecond.
      const earliest = await findNextCreationTime(transaction, event);
      const row = {
        ...buildOutboxRow(organization, event, now),
        createdAt: Math.max(now + index, earliest),
      };
      const isNew = await insertIfNew(transaction, toInsertableEvent(row));
      if (!isNew || !outboundWebhooks?.hasEndpoints(organization)) continue;
      const status = await findDonationStatus(transaction, row);
      for (const message of outboundWebhooks.buildMessages(row, status))
        await insertMessageIfNew(transaction, message);
    }
  };
}

export function toInsertableEvent(row: OutboxEvent): Required<Insertable<OutboxRow>> {
  return {
    ...row,
    ...toGiftIdColumns(row.platformGiftId),
    payload: JSON.stringify(row.payload),
  };
}

/** Returns a time after all earlier events about the same gift. */
async function findNextCreationTime(
  transaction: Transaction<Tables>,
  { kind, reference }: NewEvent,
): Promise<number> {
  if (kind === 'donation' || kind === 'renewal') return 0;
  const { last } = await transaction
    .selectFrom('outbox')
    .where('reference', '=', reference)
    .select(({ fn }) => fn.max<number | null>('createdAt').as('last'))
    .executeTakeFirstOrThrow();
  return (last ?? 0) + 1;
}

async function findDonationStatus(
  transaction: Transaction<Tables>,
  { kind, reference }: OutboxEvent,
): Promise<DonationStatus | undefined> {
  if (kind !== 'donation') return undefined;
  const row = await transaction
    .selectFrom('donations')
    .select('status')
    .where('reference', '=', reference)
    .executeTakeFirst();
  return row?.status;
}
