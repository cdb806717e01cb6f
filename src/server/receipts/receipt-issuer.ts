import type { ServerBase } from '../database/database.ts';
import { isDatabaseError } from '../database/database-error.ts';
import type { OutboxEntry } from '../database/schema.ts';
import { buildDueReceipt, type NewReceipt } from '../donations/due-receipts.ts';
import type { Receipts } from '../donations/outbox-entries.ts';
import { OrganizationWorkers } from '../jobs/organization-workers.ts';
import { PollingWorker } from '../jobs/polling-worker.ts';
import { describeError } from '../lib/describe-error.ts';
import { calculateNextAttemptTime } from '../lib/retry-schedule.ts';
import type { Organization } from '../organizations/organization.ts';
import { createReceiptDocument } from './create-receipt-document.ts';
import type { ReceiptNotifier } from './receipt-notifier.ts';
import { planReceipt, type Receipt } from './receipt-plan.ts';
import { ReceiptQueue } from './receipt-queue.ts';
import type { ReceiptRenderer } from './receipt-renderer.ts';

export interface ReceiptIssuerOptions extends ServerBase {
  /** If false, only `donation-form jobs run` issues receipts. */
  readonly hasBackgroundJobs: boolean;
  /** Called after a receipt was issued or voided, which may have queued a message. */
  readonly onChange: (organization: string) => void;
  readonly notifier: ReceiptNotifier;
  readonly renderer: Pick<ReceiptRenderer, 'render'>;
}

/** Because other receipts take the expected number. */
const MAX_TRIES = 100;
/** In milliseconds. Short, because an attempt costs nothing and the donor waits. */
const MAX_RETRY_INTERVAL = 3_600_000;

/** Decides about due rows, gives numbers without gaps, and voids and replaces receipts. */
export class ReceiptIssuer extends OrganizationWorkers<Receipt, Organization> implements Receipts {
  readonly queue: ReceiptQueue;
  readonly #options: ReceiptIssuerOptions;

  constructor(options: ReceiptIssuerOptions) {
    super(options);
    this.#options = options;
    this.queue = new ReceiptQueue(options.database, options.notifier);
  }

  buildDueReceipts(entry: OutboxEntry): readonly NewReceipt[] {
    const isGift = entry.kind === 'donation' || entry.kind === 'renewal';
    return isGift && this.findOrganization(entry.organization) ? [buildDueReceipt(entry)] : [];
  }

  /** Starts no receipt after `stop`. @throws {Error} if the database does not respond. */
  issueDueReceipts(stop: AbortSignal): Promise<void> {
    return this.handleDueRows(stop);
  }

  protected override needsWorker({ receipts }: Organization): boolean {
    return receipts !== undefined;
  }

  protected override createWorker(organization: string): PollingWorker<Receipt> {
    const { log, now } = this.#options;
    return new PollingWorker<Receipt>({
      organization,
      log,
      now,
      listDue: (limit) => this.queue.listDueReceipts(organization, limit),
      findNextDueTime: () => this.queue.findNextDueTime(organization),
      handle: (row) => this.#handleRow(row),
    });
  }

  /** Throws only if the database does not respond. */
  async #handleRow(row: Receipt): Promise<void> {
    const organization = this.findOrganization(row.organization);
    if (!organization) return;
    try {
      for (let tries = 0; !(await this.#tryToIssue(row, organization)); tries += 1)
        if (tries >= MAX_TRIES) throw new Error('other receipts were issued at the same time');
    } catch (error) {
      if (isDatabaseError(error)) throw error;
      await this.#recordFailure(row, error);
      return;
    }
    this.#options.onChange(row.organization);
  }

  /**
   * Renders before the transaction, which must wait for nothing else. A receipt whose rendering
   * fails gets no number.
   * @returns false if something has changed meanwhile, such as the next number.
   */
  async #tryToIssue(row: Receipt, organization: Organization): Promise<boolean> {
    const { database, now, renderer } = this.#options;
    const at = now();
    const plan = await planReceipt(database.db, row, organization, { at, locks: false });
    if (!plan) return true;
    const file =
      plan.issued &&
      (await renderer.render(
        await createReceiptDocument(plan.issued, organization, at),
        organization.receipts,
      ));
    return this.queue.savePlan(row, organization, plan, { at, file });
  }

  async #recordFailure(row: Receipt, error: unknown): Promise<void> {
    const { log, now } = this.#options;
    const { organization, id } = row;
    log.error({ organization, receipt: id, ...describeError(error) }, 'cannot issue a receipt');
    const attempts = row.attempts + 1;
    await this.queue.recordFailure(row, {
      attempts,
      nextRunAt: Math.min(
        calculateNextAttemptTime({ failures: attempts, now: now() }) ?? Infinity,
        now() + MAX_RETRY_INTERVAL,
      ),
      lastError: `${(error as Error).name}: ${(error as Error).message}`.slice(0, 300),
    });
  }
}
