import type { Database } from '../database/database.ts';
import { deleteNotifyEmail } from '../donations/delete-notify-email.ts';

/** Donations per transaction. Small, because other writes wait for each transaction. */
const BATCH_SIZE = 25;

/**
 * Deletes the emails to which tribute messages were sent, once the platform has the donation, which
 * may contain the email.
 * @param id of a message, to delete only its email.
 */
export async function deleteSentNotifyEmails(
  { db, writer }: Pick<Database, 'db' | 'writer'>,
  id?: string,
): Promise<void> {
  for (;;) {
    const rows = await db
      .selectFrom('mailMessages')
      .innerJoin('outbox', 'outbox.id', 'mailMessages.event')
      .innerJoin('donations', 'donations.reference', 'outbox.reference')
      .where('mailMessages.kind', '=', 'tribute')
      .where('mailMessages.status', '=', 'sent')
      .where('donations.notifyKey', 'is not', null)
      .where('donations.donorDeletedAt', 'is', null)
      .$if(id !== undefined, (query) => query.where('mailMessages.id', '=', id!))
      .where((build) =>
        build.not(
          build.exists(
            build
              .selectFrom('outbox as undelivered')
              .whereRef('undelivered.reference', '=', 'donations.reference')
              .where('undelivered.kind', 'in', ['donation', 'payment_settled'])
              .where('undelivered.status', '!=', 'delivered')
              .select('undelivered.id'),
          ),
        ),
      )
      .select('donations.reference')
      .limit(BATCH_SIZE)
      .execute();
    if (rows.length === 0) return;
    await writer.write(async (transaction) => {
      for (const { reference } of rows) await deleteNotifyEmail(transaction, reference);
    });
  }
}
