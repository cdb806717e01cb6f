import type { Difference, ReportLine, Side } from './report.ts';

export type Finding = Extract<ReportLine, { kind: 'difference' | 'in-progress' }>;

const MINUTE = 60_000;

/** Maximum age of a change that might not have reached the other systems yet, in milliseconds. */
const RECENT_DURATION = 15 * MINUTE;
/** Milliseconds. The server cancels a payment that the donor has not confirmed after an hour. */
export const MAX_UNFINISHED_AGE = 120 * MINUTE;

export function isRecent(at: number, now: number): boolean {
  return now - at < RECENT_DURATION;
}

export function createFindings(reference: string) {
  const create = (
    type: Difference['type'],
    side: Side,
    field: string,
    found: string,
    expected: string,
  ): Finding => ({
    kind: 'difference',
    difference: { type, side, reference, field, found, expected },
  });
  return {
    /** @param side the system with the unexpected value. */
    createMismatch: create.bind(undefined, 'mismatch'),
    /**
     * @param side the system that does not have the record.
     * @param found what exists instead of the record, such as `no gift with this reference`.
     */
    createMissing: create.bind(undefined, 'missing'),
    createDuplicate: (side: Side, found: string): Finding =>
      create('duplicate', side, 'donation', found, 'once'),
    createInProgress: (reason: string): Finding => ({ kind: 'in-progress', reference, reason }),
  };
}
