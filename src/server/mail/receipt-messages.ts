import type { Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import type { MailKind, MailMessageRow, Tables } from '../database/schema.ts';
import { findReceipt, listReceiptsAbout } from '../receipts/receipt-list.ts';
import type { NotifiedReceipt, ReceiptNotifier } from '../receipts/receipt-notifier.ts';
import { createMailId, type MailQueue } from './mail-queue.ts';

/**
 * Queues messages about receipts. A receipt can change while the message with it is being sent. Of the
 * transactions that save both changes, the second to lock the message queues what is missing.
 */
export class ReceiptMessages implements ReceiptNotifier {
  readonly #database: Pick<Database, 'isShared'>;
  readonly #queue: Pick<MailQueue, 'buildMessage'>;

  constructor(database: Pick<Database, 'isShared'>, queue: Pick<MailQueue, 'buildMessage'>) {
    this.#database = database;
    this.#queue = queue;
  }

  async notifyIssued(transaction: Transaction<Tables>, receipt: NotifiedReceipt): Promise<void> {
    const [thankYou] = await this.#lockMessages(transaction, ['thank_you'], receipt);
    if (thankYou?.status !== 'pending') await this.#insertMessage(transaction, 'receipt', receipt);
  }

  async notifyVoid(transaction: Transaction<Tables>, receipt: NotifiedReceipt): Promise<void> {
    const messages = await this.#lockMessages(transaction, ['thank_you', 'receipt'], receipt);
    // After an attempt without an answer, the donor may have the message.
    if (messages.some(({ status, attempts }) => status === 'sent' || attempts > 0))
      await this.#insertMessage(transaction, 'receipt_void', receipt);
  }

  /**
   * Queues a message about what has happened to a receipt while another message was being sent.
   * @param hasReceipt true if the message contains the receipt.
   */
  async notifyLate(
    transaction: Transaction<Tables>,
    { kind, event }: Pick<MailMessageRow, 'kind' | 'event'>,
    hasReceipt: boolean,
  ): Promise<void> {
    if (kind !== 'thank_you' && kind !== 'receipt') return;
    const receipt = await findReceipt(transaction, event);
    if (receipt?.status === 'issued' && !hasReceipt)
      await this.#insertMessage(transaction, 'receipt', receipt);
    if (receipt?.status !== 'void' || !hasReceipt) return;
    // A replacement has a message of its own.
    const all = await listReceiptsAbout(transaction, [receipt.reference]);
    if (!all.some(({ replaces }) => replaces === event))
      await this.#insertMessage(transaction, 'receipt_void', receipt);
  }

  #lockMessages(
    transaction: Transaction<Tables>,
    kinds: readonly MailKind[],
    receipt: NotifiedReceipt,
  ): Promise<Pick<MailMessageRow, 'status' | 'attempts'>[]> {
    const ids = kinds.map((kind) => createMailId(kind, receipt));
    return transaction
      .selectFrom('mailMessages')
      .select(['status', 'attempts'])
      .where('id', 'in', ids)
      .$if(this.#database.isShared, (query) => query.forUpdate())
      .execute();
  }

  async #insertMessage(
    transaction: Transaction<Tables>,
    kind: MailKind,
    receipt: NotifiedReceipt,
  ): Promise<void> {
    await transaction
      .insertInto('mailMessages')
      .values(this.#queue.buildMessage(kind, receipt))
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  }
}
