import type { Transaction } from 'kysely';
import type { Tables } from '../database/schema.ts';
import type { Receipt } from './receipt-plan.ts';

export type NotifiedReceipt = Pick<Receipt, 'id' | 'reference' | 'organization'>;

/** Tells donors about their receipts. Called in the transaction that changes the receipt. */
export interface ReceiptNotifier {
  /** Does nothing if the thank-you message will contain the receipt. */
  notifyIssued(transaction: Transaction<Tables>, receipt: NotifiedReceipt): Promise<void>;
  /** Does nothing if the donor never got the receipt. */
  notifyVoid(transaction: Transaction<Tables>, receipt: NotifiedReceipt): Promise<void>;
}
