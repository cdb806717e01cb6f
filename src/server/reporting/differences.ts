import type { Difference, ReportLine, Side } from './report.ts';

/** Difference, or note that a donation or renewal is still in progress. */
export type Finding = Extract<ReportLine, { kind: 'difference' | 'in-progress' }>;

const MINUTE = 60_000;

/**
 * Maximum age of a recent change, in milliseconds. A recent change might not have reached the other
 * systems yet.
 */
const RECENT_DURATION = 15 * MINUTE;
/**
 * Maximum age of an unfinished donation, in milliseconds. Donors have an hour to confirm with their
 * bank, after which the server cancels the payment.
 */
export const MAX_UNFINISHED_AGE = 120 * MINUTE;

export function isRecent(at: number, now: number): boolean {
  return now - at < RECENT_DURATION;
}

function createDifference(
  type: Difference['type'],
  side: Side,
  reference: string,
  field: string,
  found: string,
  expected: string,
): Finding {
  return { kind: 'difference', difference: { type, side, reference, field, found, expected } };
}

/**
 * Creates a finding about a missing record.
 * @param side the system that does not have the record.
 * @param found description of what exists instead of the record, such as `no gift with this
 *   reference`.
 */
export function createMissingFinding(
  side: Side,
  reference: string,
  field: string,
  found: string,
  expected: string,
): Finding {
  return createDifference('missing', side, reference, field, found, expected);
}

export function createDuplicateFinding(side: Side, reference: string, found: string): Finding {
  return createDifference('duplicate', side, reference, 'donation', found, 'once');
}

export function createMismatchFinding(
  side: Side,
  reference: string,
  field: string,
  found: string,
  expected: string,
): Finding {
  return createDifference('mismatch', side, reference, field, found, expected);
}

export function createInProgressFinding(reference: string, reason: string): Finding {
  return { kind: 'in-progress', reference, reason };
}
