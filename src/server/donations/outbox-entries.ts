import type { Kysely, Transaction } from 'kysely';
import type { DonationStatus } from '@donation-form/core/donation';
import { createPreparedInsert } from '../database/compiled-queries.ts';
import { toInsertableRow } from '../database/row-mapper.ts';
import type {
  Donation,
  MailMessageRow,
  OutboxEntry,
  Tables,
  WebhookMessageRow,
} from '../database/schema.ts';
import { buildDueReceipt, hasReceipts, mayChangeReceipt, type NewReceipt } from './due-receipts.ts';

/** If `dispatchedAt` is set, the relay first looks for the gift on the platform. */
export type NewEntry = Pick<OutboxEntry, 'id' | 'reference' | 'kind'> &
  Partial<Pick<OutboxEntry, 'parentReference' | 'paymentId' | 'payload' | 'dispatchedAt'>>;

/** Notifies the organizations' own servers of donation entries. */
export interface OutboundWebhooks {
  /** @param status the donation's status, for an entry of kind `donation`. */
  buildMessages(entry: OutboxEntry, status?: DonationStatus): readonly WebhookMessageRow[];
  wakeWorkers(organization: string): void;
}

/** Why a message was canceled. */
export const DONOR_DELETED = 'The donor’s data was deleted.';

/** What decides which messages an entry causes. */
export type NotifiedDonation = Pick<Donation, 'status' | 'payload'>;

/** Sends messages about donation entries to donors, and to the people whom donors named. */
export interface OutboundMail {
  /** @param donation the donation, for an entry of kind `donation` or `payment_settled`. */
  buildMessages(entry: OutboxEntry, donation?: NotifiedDonation): readonly MailMessageRow[];
  wakeWorker(organization: string): void;
}

/** Issues receipts after donation entries. */
export interface Receipts {
  buildDueReceipts(entry: OutboxEntry): readonly NewReceipt[];
  wakeWorker(organization: string): void;
}

/** Whom the server notifies of donation entries, besides the platform. */
export interface Notifications {
  readonly outboundWebhooks?: OutboundWebhooks | undefined;
  readonly outboundMail?: OutboundMail | undefined;
  readonly receipts?: Receipts | undefined;
}

/**
 * Skips entries with IDs that already exist.
 * @param donation the donation, for entries of kind `donation` or `payment_settled`.
 */
export type EntryInserter = (
  transaction: Transaction<Tables>,
  organization: string,
  entries: readonly NewEntry[],
  now: number,
  donation?: NotifiedDonation,
) => Promise<void>;

const insertIfNew = createPreparedInsert('outbox');
const insertWebhookIfNew = createPreparedInsert('webhookMessages');
const insertMailIfNew = createPreparedInsert('mailMessages');
const insertReceiptIfNew = createPreparedInsert('receipts');

export function buildOutboxRow(organization: string, entry: NewEntry, now: number): OutboxEntry {
  return {
    parentReference: null,
    paymentId: null,
    payload: {},
    dispatchedAt: null,
    ...entry,
    happenedAt: entry.payload?.at ?? now,
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

export function createEntryInserter({
  outboundWebhooks,
  outboundMail,
  receipts,
}: Notifications): EntryInserter {
  return async (transaction, organization, entries, now, donation) => {
    for (const [index, entry] of entries.entries()) {
      // The relay sends entries in the order of their creation times, so these must differ even if
      // one webhook reports the start and the end of a dispute.
      const earliest = await findNextCreationTime(transaction, entry);
      const row = {
        ...buildOutboxRow(organization, entry, now),
        createdAt: Math.max(now + index, earliest),
      };
      const isNew = await insertIfNew(transaction, toInsertableRow(row));
      if (!isNew) continue;
      if (receipts)
        for (const receipt of await listDueReceipts(transaction, row, receipts))
          await insertReceiptIfNew(transaction, receipt);
      for (const message of outboundMail?.buildMessages(row, donation) ?? [])
        await insertMailIfNew(transaction, message);
      for (const message of outboundWebhooks?.buildMessages(row, donation?.status) ?? [])
        await insertWebhookIfNew(transaction, message);
    }
  };
}

/**
 * A refund or dispute changes only receipts of gifts that were accepted with receipts. A gift from a
 * backup may already have a receipt from the original server. Its entry has `dispatchedAt`, as has a
 * renewal that `reconcile` adds.
 */
async function listDueReceipts(
  transaction: Transaction<Tables>,
  row: OutboxEntry,
  receipts: Receipts,
): Promise<readonly NewReceipt[]> {
  if (row.dispatchedAt !== null)
    return (await isLateRenewal(transaction, row)) ? [buildDueReceipt(row)] : [];
  if (!mayChangeReceipt(row)) return receipts.buildDueReceipts(row);
  return (await hasReceipts(transaction, row.reference)) ? [buildDueReceipt(row)] : [];
}

/** Returns true for a renewal that `reconcile` adds to a donation with receipts. */
async function isLateRenewal(
  transaction: Transaction<Tables>,
  { kind, parentReference }: OutboxEntry,
): Promise<boolean> {
  if (kind !== 'renewal' || !(await hasReceipts(transaction, parentReference!))) return false;
  const donation = await transaction
    .selectFrom('donations')
    .select('restoredAt')
    .where('reference', '=', parentReference)
    .executeTakeFirst();
  return donation?.restoredAt === null;
}

async function findNextCreationTime(
  transaction: Transaction<Tables>,
  { kind, reference }: NewEntry,
): Promise<number> {
  if (kind === 'donation' || kind === 'renewal') return 0;
  const { last } = await transaction
    .selectFrom('outbox')
    .where('reference', '=', reference)
    .select(({ fn }) => fn.max<number | null>('createdAt').as('last'))
    .executeTakeFirstOrThrow();
  return (last ?? 0) + 1;
}

/** Selects the events of donations and their renewals, oldest first. */
export function selectEvents(
  db: Pick<Kysely<Tables>, 'selectFrom'>,
  references: readonly string[],
) {
  return db
    .selectFrom('outbox')
    .selectAll()
    .where((build) =>
      build.or([build('reference', 'in', references), build('parentReference', 'in', references)]),
    )
    .orderBy('createdAt')
    .orderBy('id');
}

/** An outbox entry with its donation. */
export interface EntryContext {
  readonly event: OutboxEntry;
  readonly donation: Donation;
  /** The renewal, if the event is a renewal or belongs to one. */
  readonly renewal: OutboxEntry | undefined;
}

/** @throws {Error} if the entry or its donation is missing. */
export async function loadEntryContext(db: Kysely<Tables>, id: string): Promise<EntryContext> {
  const outbox = db.selectFrom('outbox').selectAll();
  const event = await outbox.where('id', '=', id).executeTakeFirstOrThrow();
  const { reference, parentReference } = event;
  const renewal =
    parentReference === null
      ? undefined
      : await outbox.where((build) => build.and({ reference, kind: 'renewal' })).executeTakeFirst();
  const donation = await db
    .selectFrom('donations')
    .selectAll()
    .where('reference', '=', parentReference ?? reference)
    .executeTakeFirstOrThrow();
  return { event, renewal, donation };
}
