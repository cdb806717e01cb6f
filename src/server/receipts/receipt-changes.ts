import type { Database } from '../database/database.ts';
import type { ReceiptData } from '../database/schema.ts';
import { buildDueReceipt } from '../donations/due-receipts.ts';
import { isDonorErased } from './erase-receipts.ts';
import { listReceiptsAbout } from './receipt-list.ts';
import type { ReceiptNotifier } from './receipt-notifier.ts';
import { formatReceiptNumber, getReceiptNumber } from './receipt-number.ts';
import { isCorrection, type Receipt } from './receipt-plan.ts';

/** Why the staff cannot change a receipt, and what to do. */
export class ReceiptChangeError extends Error {
  override readonly name = 'ReceiptChangeError';
}

export interface ReceiptCorrection {
  readonly reference: string;
  readonly donor: NonNullable<ReceiptData['donor']>;
  readonly by: string;
  readonly note: string;
}

/**
 * Asks for a receipt with another name or address. The worker voids the valid receipt, if there is
 * one, and issues the new receipt to the donor in this row's payload.
 * @returns the number of the receipt to correct.
 * @throws {ReceiptChangeError} if that is not possible.
 */
export async function requestCorrection(
  { db, writer, clock }: Pick<Database, 'db' | 'writer' | 'clock'>,
  { reference, donor, by, note }: ReceiptCorrection,
): Promise<string> {
  const receipts = await listReceiptsAbout(db, [reference]);
  const latest = receipts.findLast((receipt) => getReceiptNumber(receipt));
  if (!latest?.payload)
    throw new ReceiptChangeError(
      `${reference} has no receipt that could be corrected. Enter the reference of a donation or ` +
        'renewal with a receipt.',
    );
  if (isDonorErased(latest.payload))
    throw new ReceiptChangeError(
      'The donor’s data was deleted, so the server can issue no receipt to the donor.',
    );
  const isUnderway = receipts.some((receipt) => receipt.status === 'due' && isCorrection(receipt));
  const now = clock.now();
  const payload: ReceiptData = { ...latest.payload, donor, correction: { by, note } };
  const { organization } = latest;
  // Two corrections at once have the same ID, so only one is saved.
  const id = `correction ${reference} ${receipts.length}`;
  const row = buildDueReceipt({ id, organization, reference, createdAt: now, updatedAt: now });
  const saved =
    !isUnderway &&
    (await writer.write((transaction) =>
      transaction
        .insertInto('receipts')
        .values({ ...row, payload: JSON.stringify(payload) })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst(),
    ));
  if (!saved)
    throw new ReceiptChangeError(
      'The server is about to issue a corrected receipt. Wait until it has a number, and then ' +
        'correct that receipt.',
    );
  return formatReceiptNumber(getReceiptNumber(latest)!);
}

/**
 * Makes the valid receipt of a donation or renewal void, without a replacement, and tells the
 * donor, who may have it.
 * @throws {ReceiptChangeError} if there is no valid receipt.
 */
export async function voidReceipt(
  { writer, clock }: Pick<Database, 'writer' | 'clock'>,
  { reference, by, reason }: Readonly<Record<'reference' | 'by' | 'reason', string>>,
  notifier: Pick<ReceiptNotifier, 'notifyVoid'>,
): Promise<Receipt> {
  const now = clock.now();
  return writer.write(async (transaction) => {
    const receipt = await transaction
      .updateTable('receipts')
      .set({
        status: 'void',
        voidedAt: now,
        voidReason: `Voided by ${by}: ${reason}`,
        updatedAt: now,
      })
      .where((build) => build.and({ reference, status: 'issued' }))
      .returningAll()
      .executeTakeFirst();
    if (!receipt)
      throw new ReceiptChangeError(
        `${reference} has no valid receipt. Enter the reference of a donation or renewal with one.`,
      );
    await notifier.notifyVoid(transaction, receipt);
    return receipt;
  });
}
