import type { Database } from '../database/database.ts';
import type { ReceiptData } from '../database/schema.ts';
import { listReceiptsAbout } from './receipt-list.ts';
import { formatReceiptNumber, getReceiptNumber } from './receipt-number.ts';

/** Why the staff cannot change a receipt, and what to do. */
export class ReceiptChangeError extends Error {
  override readonly name = 'ReceiptChangeError';
}

const CORRECTION = 'correction ';

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
  if (!latest.payload.donor)
    throw new ReceiptChangeError(
      'The donor’s data was deleted, so the server can issue no receipt to the donor.',
    );
  if (receipts.some(({ id, status }) => status === 'due' && id.startsWith(CORRECTION)))
    throw new ReceiptChangeError(
      'The server is about to issue a corrected receipt. Wait until it has a number, and then ' +
        'correct that receipt.',
    );
  const now = clock.now();
  const payload: ReceiptData = { ...latest.payload, donor, correction: { by, note } };
  await writer.write((transaction) =>
    transaction
      .insertInto('receipts')
      .values({
        id: `${CORRECTION}${reference} ${now}`,
        organization: latest.organization,
        reference,
        status: 'due',
        series: null,
        year: null,
        number: null,
        template: null,
        payload: JSON.stringify(payload),
        hash: null,
        replaces: null,
        issuedAt: null,
        voidedAt: null,
        voidReason: null,
        attempts: 0,
        nextRunAt: now,
        lastError: null,
        createdAt: now,
        updatedAt: now,
      })
      .execute(),
  );
  return formatReceiptNumber(getReceiptNumber(latest)!);
}

/**
 * Makes the valid receipt of a donation or renewal void, without a replacement.
 * @returns its number.
 * @throws {ReceiptChangeError} if there is no valid receipt.
 */
export async function voidReceipt(
  { writer, clock }: Pick<Database, 'writer' | 'clock'>,
  { reference, by, reason }: Readonly<Record<'reference' | 'by' | 'reason', string>>,
): Promise<string> {
  const now = clock.now();
  const voided = await writer.write((transaction) =>
    transaction
      .updateTable('receipts')
      .set({
        status: 'void',
        voidedAt: now,
        voidReason: `Voided by ${by}: ${reason}`,
        updatedAt: now,
      })
      .where((build) => build.and({ reference, status: 'issued' }))
      .returning(['series', 'year', 'number'])
      .executeTakeFirst(),
  );
  const number = voided && getReceiptNumber(voided);
  if (number) return formatReceiptNumber(number);
  throw new ReceiptChangeError(
    `${reference} has no valid receipt. Enter the reference of a donation or renewal with one.`,
  );
}
