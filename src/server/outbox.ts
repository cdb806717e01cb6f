import type { Logger } from 'pino';
import { cleanLine } from '../model/donor.ts';
import type { GiftRow } from './database.ts';
import { DueLoop } from './due-loop.ts';
import type { Journal } from './journal.ts';
import { toRecordable } from './kept-gift.ts';
import { NotRecordedError, type GiftRecorder } from './recorder/recorder.ts';

const SECOND = 1_000, MINUTE = 60_000, HOUR = 3_600_000;

/** How long after a call began the platform's "not found" is believed: longer than the call may last. */
const BELIEVE_ABSENCE_AFTER = 30 * SECOND;

export interface OutboxOptions {
  readonly organization: string;
  readonly journal: Journal;
  readonly recorder: GiftRecorder;
  readonly log: Logger;
  readonly now: () => number;
}

/** Records an organisation's charged gifts at the platform, each once, in order. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #loop: DueLoop;
  /** The platform is in trouble, or asked for silence: no call before this time. */
  #silentUntil = 0;
  #failuresInARow = 0;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#loop = new DueLoop({ ...options, state: 'charged', work: (row) => this.#record(row), silentUntil: () => this.#silentUntil });
  }

  /** Records what is due. @returns when nothing is due any more. */
  wake(): Promise<void> {
    return this.#loop.wake();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #record(row: GiftRow): Promise<GiftRow> {
    const { journal, recorder, now } = this.#options;
    let began = row.recording_began_at;
    try {
      if (began !== null) {
        if (!recorder.find) return await journal.held(row, 'the answer of the call that records this gift was lost, and the platform has no look-up');
        const id = await recorder.find(row.reference);
        if (id !== undefined) return await this.#recorded(row, id);
        if (now() - began < BELIEVE_ABSENCE_AFTER) return await journal.postponed(row, { dueAt: began + BELIEVE_ABSENCE_AFTER, error: row.last_error });
      }
      began = now();
      await journal.recordingBegins(row.reference);
      return await this.#recorded(row, await recorder.record(toRecordable(row)));
    } catch (error) {
      const isRefused = error instanceof NotRecordedError;
      return this.#postpone(row, error, isRefused && row.recording_began_at === null ? null : began);
    }
  }

  #recorded(row: GiftRow, platformId: number): Promise<GiftRow> {
    this.#failuresInARow = 0;
    return this.#options.journal.recorded(row.reference, platformId);
  }

  /**
   * A refusal is this gift's own trouble: it waits 2, 4, 8 … seconds, an hour at most, and the others go on.
   * Anything else is the platform's: all wait, until the time that it names, or 2, 4, 8 … 60 seconds.
   */
  async #postpone(row: GiftRow, error: unknown, recordingBeganAt: number | null): Promise<GiftRow> {
    const { journal, log, now } = this.#options;
    const { isOwnTrouble = false, retryAt, isLimited = false } = error instanceof NotRecordedError ? error : {};
    let dueAt = now();
    if (isOwnTrouble) {
      dueAt += Math.min(2 ** (row.attempts + 1) * SECOND, HOUR);
    } else {
      this.#failuresInARow += 1;
      const nap = isLimited ? MINUTE * 2 ** (this.#failuresInARow - 1) : Math.min(2 ** this.#failuresInARow * SECOND, MINUTE);
      const named = retryAt && retryAt.getTime() > now() ? retryAt.getTime() : now() + nap;
      this.#silentUntil = Math.min(Math.max(named, now() + SECOND), now() + HOUR);
    }
    log.warn({ reference: row.reference, error: (error as Error).name, retryAt: new Date(Math.max(dueAt, this.#silentUntil)).toISOString() }, 'a gift is not recorded yet');
    return journal.postponed(row, { dueAt, error: cleanLine(String(error)).slice(0, 300), recordingBeganAt });
  }
}
