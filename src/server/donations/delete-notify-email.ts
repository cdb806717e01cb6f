import { PostgresAdapter, type Transaction } from 'kysely';
import type { Tables } from '../database/schema.ts';
import { omitNotifyEmail } from './omit-donor-data.ts';
import { createFingerprintWithoutNotifyEmail } from './request-fingerprint.ts';

/** Deletes the email to notify about a tribute, but not the tribute. */
export async function deleteNotifyEmail(
  transaction: Transaction<Tables>,
  reference: string,
): Promise<void> {
  const isPostgres = transaction.getExecutor().adapter instanceof PostgresAdapter;
  const { payload: before, donorDeletedAt } = await transaction
    .selectFrom('donations')
    .select(['payload', 'donorDeletedAt'])
    .where('reference', '=', reference)
    .$if(isPostgres, (query) => query.forUpdate())
    .executeTakeFirstOrThrow();
  if (donorDeletedAt !== null) return;
  const payload = { ...before, gift: omitNotifyEmail(before.gift) };
  await transaction
    .updateTable('donations')
    .set({
      payload: JSON.stringify(payload),
      fingerprint: createFingerprintWithoutNotifyEmail(payload),
      notifyKey: null,
    })
    .where('reference', '=', reference)
    .execute();
}
