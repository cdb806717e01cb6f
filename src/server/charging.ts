import type { Logger } from 'pino';
import type { Journal } from './journal.ts';
import type { GiftRow } from './database.ts';
import { NotChargedError, type Charge, type ChargeResult, type PaymentGateway } from './payment/gateway.ts';

/**
 * How long after a charge began the processor's "never seen" is believed.
 * Longer than a call to it may last, so that no call is still on its way.
 */
const BELIEVE_ABSENCE_AFTER = 60_000;

export interface ChargingOptions {
  readonly journal: Journal;
  readonly gateway: PaymentGateway;
  readonly log: Logger;
  readonly now: () => number;
}

/** Takes the money of accepted gifts, once for each, and finds out what became of a charge whose answer was lost. */
export class Charging {
  readonly #journal: Journal;
  readonly #gateway: PaymentGateway;
  readonly #log: Logger;
  readonly #now: () => number;
  /** One charge or look-up of a gift at a time. */
  readonly #underWay = new Map<string, Promise<GiftRow>>();

  constructor({ journal, gateway, log, now }: ChargingOptions) {
    this.#journal = journal;
    this.#gateway = gateway;
    this.#log = log;
    this.#now = now;
  }

  /** Charges a gift that was just accepted. @returns its row: charged, declined, or still charging where the answer was lost. */
  charge(row: GiftRow, charge: Charge): Promise<GiftRow> {
    return this.#alone(row, () => this.#charge(row, charge));
  }

  /** Goes on with a gift whose charge was cut off: charges it now where the processor has never seen it. */
  resume(row: GiftRow, charge: Charge): Promise<GiftRow> {
    return this.#alone(row, async () => {
      const before = await this.#gateway.find(row.reference).catch(() => 'unknown' as const);
      if (before === 'unknown') return row;
      return before ? this.#settle(row, before) : this.#charge(await this.#journal.chargeBegins(row.reference), charge);
    });
  }

  /** Asks the processor what became of a charge, and notes a gift that it has never seen as not charged. */
  lookUp(row: GiftRow): Promise<GiftRow> {
    return this.#alone(row, async () => {
      try {
        const result = await this.#gateway.find(row.reference);
        if (result) return await this.#settle(row, result);
        if (this.#now() - row.charge_began_at >= BELIEVE_ABSENCE_AFTER) return await this.#journal.declined(row.reference, 'not-charged');
        return await this.#later(row, 'the processor has not seen this charge yet');
      } catch (error) {
        return this.#later(row, String(error));
      }
    });
  }

  async #charge(row: GiftRow, charge: Charge): Promise<GiftRow> {
    try {
      return await this.#settle(row, await this.#gateway.charge(charge));
    } catch (error) {
      this.#log.error({ reference: row.reference, error: String(error) }, 'a charge failed');
      if (error instanceof NotChargedError) return this.#journal.declined(row.reference, 'not-charged');
      const result = await this.#gateway.find(row.reference).catch(() => undefined);
      return result ? this.#settle(row, result) : row;
    }
  }

  #settle({ reference }: GiftRow, result: ChargeResult): Promise<GiftRow> {
    return result.state === 'succeeded' ? this.#journal.charged(reference, result.paymentId) : this.#journal.declined(reference, 'card-declined');
  }

  #later(row: GiftRow, error: string): Promise<GiftRow> {
    return this.#journal.postponed(row, { dueAt: this.#now() + 5_000, error, recording: 0 });
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
