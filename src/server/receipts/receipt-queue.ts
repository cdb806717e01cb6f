import { isDeepStrictEqual } from 'node:util';
import type { Selectable, Transaction } from 'kysely';
import { findNextDueTime, listDueRows } from '../database/claims.ts';
import type { Database } from '../database/database.ts';
import { NEVER } from '../database/database-clock.ts';
import type { ReceiptStatus, Tables } from '../database/schema.ts';
import { hashSha256 } from '../lib/hash.ts';
import type { Organization } from '../organizations/organization.ts';
import type { ReceiptNotifier } from './receipt-notifier.ts';
import {
  type NewNumberedReceipt,
  planReceipt,
  type Receipt,
  type ReceiptPlan,
} from './receipt-plan.ts';
import type { RenderedReceipt } from './render-receipt.ts';

const toDueCriteria = (organization: string) => ({ organization, status: 'due' }) as const;

/** The due rows of receipts, and what becomes of them. */
export class ReceiptQueue {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #notifier: ReceiptNotifier;

  constructor(database: Database, notifier: ReceiptNotifier) {
    this.#database = database;
    this.#now = database.clock.now;
    this.#notifier = notifier;
  }

  listDueReceipts(organization: string, limit: number): Promise<Receipt[]> {
    return listDueRows(this.#database, 'receipts', toDueCriteria(organization), limit);
  }

  findNextDueTime(organization: string): Promise<number | undefined> {
    return findNextDueTime(this.#database, 'receipts', toDueCriteria(organization));
  }

  /**
   * Saves a plan with its file, in one transaction, so that each number has a document.
   * @returns false if the donation, the receipts, or the next number have changed since.
   */
  async savePlan(
    row: Receipt,
    organization: Organization,
    planned: ReceiptPlan,
    { at, file }: { readonly at: number; readonly file: RenderedReceipt | undefined },
  ): Promise<boolean> {
    const locks = this.#database.isShared;
    return this.#database.writer.write(async (transaction) => {
      const plan = await planReceipt(transaction, row, organization, { at, locks });
      if (!isDeepStrictEqual(plan, planned)) return false;
      const { voided, issued } = planned;
      if (issued && !(await takeNumber(transaction, row.organization, issued))) return false;
      if (voided !== undefined) await this.#voidReceipt(transaction, voided, row, at);
      if (issued) await this.#insertReceipt(transaction, row, issued, at, file!);
      else await this.#finishRow(transaction, row, { status: 'not_needed' });
      if (issued) await this.#notifier.notifyIssued(transaction, row);
      else if (voided !== undefined)
        await this.#notifier.notifyVoid(transaction, { ...row, id: voided });
      return true;
    });
  }

  async recordFailure(
    { id }: Receipt,
    failure: Pick<Receipt, 'attempts' | 'nextRunAt' | 'lastError'>,
  ): Promise<void> {
    await this.#database.writer.write((transaction) =>
      transaction
        .updateTable('receipts')
        .set({ ...failure, updatedAt: this.#now() })
        .where('id', '=', id)
        .where('status', '=', 'due')
        .execute(),
    );
  }

  async #voidReceipt(
    transaction: Transaction<Tables>,
    id: string,
    { id: cause, payload }: Receipt,
    at: number,
  ): Promise<void> {
    const correction = payload?.correction;
    await transaction
      .updateTable('receipts')
      .set({
        status: 'void',
        voidedAt: at,
        voidReason: correction
          ? `Corrected by ${correction.by}: ${correction.note}`
          : cause.slice(0, cause.indexOf(' ')),
        updatedAt: this.#now(),
      })
      .where('id', '=', id)
      .execute();
  }

  async #insertReceipt(
    transaction: Transaction<Tables>,
    row: Receipt,
    { series, year, number, template, keepUntil, data, replaced }: NewNumberedReceipt,
    at: number,
    { mediaType, content }: RenderedReceipt,
  ): Promise<void> {
    await this.#finishRow(transaction, row, {
      status: 'issued',
      series,
      year,
      number,
      template,
      keepUntil: keepUntil ?? null,
      payload: JSON.stringify(data),
      hash: hashSha256(content),
      replaces: replaced?.id ?? null,
      issuedAt: at,
    });
    await transaction
      .insertInto('receiptFiles')
      .values({ receipt: row.id, mediaType, content })
      .execute();
  }

  async #finishRow(
    transaction: Transaction<Tables>,
    { id }: Receipt,
    columns: { readonly status: ReceiptStatus } & Partial<
      Omit<Selectable<Tables['receipts']>, 'payload'>
    > & {
        readonly payload?: string;
      },
  ): Promise<void> {
    await transaction
      .updateTable('receipts')
      .set({ ...columns, lastError: null, nextRunAt: NEVER, updatedAt: this.#now() })
      .where('id', '=', id)
      .execute();
  }
}

/** @returns false if the number is not the next one. */
async function takeNumber(
  transaction: Transaction<Tables>,
  organization: string,
  { series, year, number }: NewNumberedReceipt,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('receiptSeries')
    .values({ organization, series, year, lastNumber: number })
    .onConflict((conflict) =>
      conflict
        .columns(['organization', 'series', 'year'])
        .doUpdateSet({ lastNumber: number })
        .where('receiptSeries.lastNumber', '=', number - 1),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}
