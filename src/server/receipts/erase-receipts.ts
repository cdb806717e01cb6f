import type { Transaction } from 'kysely';
import type { ReceiptData, Tables } from '../database/schema.ts';
import type { Receipt } from './receipt-plan.ts';

/** Keeps number, day, amount, and hash, but not the donor and the document. */
export async function eraseReceipts(
  transaction: Transaction<Tables>,
  receipts: readonly Pick<Receipt, 'id' | 'payload'>[],
): Promise<void> {
  for (const { id, payload } of receipts) {
    await transaction.deleteFrom('receiptFiles').where('receipt', '=', id).execute();
    await transaction
      .updateTable('receipts')
      .set({
        lastError: null,
        // The staff may have named the donor.
        voidReason: null,
        payload: payload && JSON.stringify({ ...payload, donor: undefined, correction: undefined }),
      })
      .where('id', '=', id)
      .execute();
  }
}

/** Returns true if the donor was erased. Receipts for test donations never name one. */
export function isDonorErased({ donor, isTest }: ReceiptData): boolean {
  return donor === undefined && !isTest;
}
