import type { Logger } from 'pino';
import type { GiftRow } from './database.ts';
import { DueLoop } from './due-loop.ts';
import type { Journal } from './journal.ts';
import { toCharge } from './kept-gift.ts';
import { NotChargedError, type ChargeResult, type PaymentGateway } from './payment/gateway.ts';

const SECOND = 1_000, MINUTE = 60_000;

/** How long after a charge began the processor's "never seen" is believed: longer than a call to it may last. */
const BELIEVE_ABSENCE_AFTER = MINUTE;

export interface ChargingOptions {
  readonly organization: string;
  readonly journal: Journal;
  readonly gateway: PaymentGateway;
  /** Called when a gift was charged. */
  readonly onCharged: () => void;
  readonly log: Logger;
  readonly now: () => number;
}

/** Takes the money of an organisation's accepted gifts, once for each, and finds out what became of a charge whose answer was lost. */
export class Charging {
  readonly #options: ChargingOptions;
  readonly #loop: DueLoop;
  /** One charge or look-up of a gift at a time. */
  readonly #underWay = new Map<string, Promise<GiftRow>>();

  constructor(options: ChargingOptions) {
    this.#options = options;
    this.#loop = new DueLoop({ ...options, state: 'charging', work: (row) => this.#alone(row, () => this.#lookUp(row)) });
  }

  /** Looks up the charges that are due, now and from now on. */
  wake(): void {
    void this.#loop.wake();
  }

  /** Ends after the calls that are under way. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    await Promise.allSettled(this.#underWay.values());
  }

  /** Charges a gift that was just accepted. @returns its row: charged, declined, or still charging where the answer was lost. */
  charge(row: GiftRow, token: string): Promise<GiftRow> {
    return this.#alone(row, async () => {
      try {
        return await this.#chargeOnce(row, token);
      } catch (error) {
        if (error instanceof NotChargedError) return this.#options.journal.notCharged(row.reference, row.charge_began_at);
        return this.#find(row);
      }
    });
  }

  /** Goes on with a gift whose charge was cut off: charges it now where the processor has never seen it. */
  resume(row: GiftRow, token: string): Promise<GiftRow> {
    const { gateway, journal } = this.#options;
    return this.#alone(row, async () => {
      try {
        const before = await gateway.find(row.reference);
        if (before) return await this.#settle(row, before);
        const current = await journal.chargeBegins(row.reference);
        return current.state === 'charging' ? await this.#chargeOnce(current, token) : current;
      } catch {
        return this.#find(row);
      }
    });
  }

  async #chargeOnce(row: GiftRow, token: string): Promise<GiftRow> {
    try {
      return await this.#settle(row, await this.#options.gateway.charge(toCharge(row, token)));
    } catch (error) {
      this.#options.log.error({ reference: row.reference, error: nameOf(error) }, 'a charge failed');
      throw error;
    }
  }

  /** What became of a charge, where the processor says so at once; else the row as it stands: an earlier call may still be on its way. */
  async #find(row: GiftRow): Promise<GiftRow> {
    const result = await this.#options.gateway.find(row.reference).catch(() => undefined);
    return result ? this.#settle(row, result) : row;
  }

  async #lookUp(row: GiftRow): Promise<GiftRow> {
    const { gateway, journal, log, now } = this.#options;
    try {
      const result = await gateway.find(row.reference);
      if (result) return await this.#settle(row, result);
      const after = await journal.notCharged(row.reference, now() - BELIEVE_ABSENCE_AFTER);
      return after.state === 'charging' ? await this.#later(after, 'the processor has not seen this charge yet') : after;
    } catch (error) {
      log.error({ reference: row.reference, error: nameOf(error) }, 'a charge could not be looked up');
      return this.#later(row, nameOf(error));
    }
  }

  /** Notes the processor's answer. One that does not fit the gift is left to a person. */
  async #settle(row: GiftRow, { state, paymentId, total, currency }: ChargeResult): Promise<GiftRow> {
    const { journal, log, onCharged } = this.#options;
    const expected = toCharge(row, '');
    if (total !== expected.total || currency !== expected.currency) {
      log.error({ reference: row.reference, paymentId, total, currency }, 'the processor charged another amount or currency than the gift');
      return journal.held(row, `the processor says ${total} ${currency} (${paymentId})`);
    }
    const settled = state === 'succeeded' ? await journal.charged(row.reference, paymentId) : await journal.declined(row.reference);
    if (settled.state === 'charged') onCharged();
    if (state === 'succeeded' && settled.payment_id !== paymentId) log.error({ reference: row.reference, paymentId, state: settled.state }, 'a charge succeeded of a gift that had ended');
    return settled;
  }

  #later(row: GiftRow, error: string): Promise<GiftRow> {
    return this.#options.journal.postponed(row, { dueAt: this.#options.now() + Math.min(5 * SECOND * 2 ** row.attempts, 5 * MINUTE), error });
  }

  /** Joins the charge or look-up of this gift that is going on, if one is. */
  #alone({ reference }: GiftRow, work: () => Promise<GiftRow>): Promise<GiftRow> {
    const before = this.#underWay.get(reference);
    if (before) return before;
    const now = work().finally(() => this.#underWay.delete(reference));
    this.#underWay.set(reference, now);
    return now;
  }
}

/** What may be said of an error in a log: the messages of errors that are not ours may quote what they were given. */
function nameOf(error: unknown): string {
  return error instanceof NotChargedError ? error.message : (error as Error).name;
}
