import type { Logger } from 'pino';
import type { Charging } from './charging.ts';
import type { GiftRow, GiftState } from './database.ts';
import type { Journal } from './journal.ts';
import { toRecordable } from './kept-gift.ts';
import { NotRecordedError, type GiftRecorder } from './recorder/recorder.ts';

const SECOND = 1_000, HOUR = 3_600_000;
const BATCH = 50;

export interface OutboxOptions {
  readonly organization: string;
  readonly journal: Journal;
  readonly charging: Charging;
  readonly recorder: GiftRecorder;
  readonly log: Logger;
  readonly now: () => number;
}

/** Finishes what is unfinished of one organisation: records charged gifts at the platform, in order, and looks up unknown charges. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #now: () => number;
  #draining: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  /** The platform asked for silence until then. */
  #silentUntil = 0;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#now = options.now;
  }

  /** Works off what is due, and comes back by itself when more is. @returns when nothing is due any more. */
  wake(): Promise<void> {
    this.#draining ??= this.#drain().finally(() => { this.#draining = undefined; });
    return this.#draining;
  }

  /** Ends after the call that is under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#draining;
  }

  async #drain(): Promise<void> {
    const { journal, organization, log } = this.#options;
    clearTimeout(this.#timer);
    let comeBackAt: number | undefined;
    try {
      for (let due = await this.#due(); due.length > 0 && !this.#isStopped(); due = await this.#due()) {
        for (const row of due) if (!this.#isStopped() && this.#states().includes(row.state)) await this.#goOnWith(row);
      }
      comeBackAt = await journal.nextDue(organization, this.#states());
      if (this.#isSilent()) comeBackAt = Math.min(comeBackAt ?? Infinity, this.#silentUntil);
    } catch (error) {
      log.error({ error: String(error), organization }, 'the outbox could not read or write the journal');
      comeBackAt = this.#now() + SECOND;
    }
    if (comeBackAt === undefined || this.#isStopped()) return;
    this.#timer = setTimeout(() => void this.wake(), Math.min(Math.max(comeBackAt - this.#now(), SECOND / 10), HOUR)).unref();
  }

  #isStopped(): boolean {
    return this.#stopped;
  }

  #due(): Promise<GiftRow[]> {
    return this.#options.journal.due(this.#options.organization, this.#states(), BATCH);
  }

  #isSilent(): boolean {
    return this.#now() < this.#silentUntil;
  }

  #states(): readonly GiftState[] {
    return this.#isSilent() ? ['charging'] : ['charging', 'charged'];
  }

  /** Takes one gift one step further. */
  async #goOnWith(row: GiftRow): Promise<GiftRow> {
    const { journal, charging, recorder } = this.#options;
    if (row.state === 'charging') return charging.lookUp(row);
    if (row.recording === 1) {
      if (!recorder.find) return journal.held(row.reference, 'the answer of the call that records this gift was lost, and the platform has no look-up');
      try {
        const id = await recorder.find(row.reference);
        if (id !== undefined) return await journal.recorded(row.reference, id);
      } catch (error) {
        return this.#postpone(row, error, 1);
      }
    }
    try {
      await journal.recording(row.reference);
      return await journal.recorded(row.reference, await recorder.record(toRecordable(row)));
    } catch (error) {
      return this.#postpone(row, error, error instanceof NotRecordedError ? 0 : 1);
    }
  }

  /** Waits 2, 4, 8 … seconds, an hour at most; a platform that names a time is left alone until then. */
  async #postpone(row: GiftRow, error: unknown, recording: 0 | 1): Promise<GiftRow> {
    let dueAt = this.#now() + Math.min(2 ** (row.attempts + 1) * SECOND, HOUR);
    if (error instanceof NotRecordedError && error.retryAt) {
      dueAt = this.#silentUntil = Math.min(Math.max(error.retryAt.getTime(), this.#now() + SECOND), this.#now() + HOUR);
    }
    this.#options.log.warn({ reference: row.reference, error: String(error), retryAt: new Date(dueAt).toISOString() }, 'a gift is not recorded yet');
    return this.#options.journal.postponed(row, { dueAt, error: String(error), recording });
  }
}
