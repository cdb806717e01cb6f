import type { Kysely } from 'kysely';
import type { MailMessageRow, Tables } from '../database/schema.ts';
import { type EntryContext, loadEntryContext } from '../donations/outbox-entries.ts';

/** Loads the outbox entry with its donation. For a message about a receipt, that of the gift. */
export async function loadMessageContext(
  db: Kysely<Tables>,
  { kind, event }: Pick<MailMessageRow, 'kind' | 'event'>,
): Promise<EntryContext> {
  const isAboutReceipt = kind === 'receipt' || kind === 'receipt_void';
  return loadEntryContext(db, isAboutReceipt ? await findGiftEntry(db, event) : event);
}

async function findGiftEntry(db: Kysely<Tables>, receipt: string): Promise<string> {
  const { id } = await db
    .selectFrom('outbox')
    .innerJoin('receipts', 'receipts.reference', 'outbox.reference')
    .where('receipts.id', '=', receipt)
    .where('outbox.kind', 'in', ['donation', 'renewal'])
    .select('outbox.id')
    .executeTakeFirstOrThrow();
  return id;
}
