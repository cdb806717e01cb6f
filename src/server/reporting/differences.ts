import type { Difference, ReportLine, Side } from './report.ts';

/** A difference, or an entry still in progress. */
export type Finding = Extract<ReportLine, { kind: 'difference' | 'under-way' }>;

const MINUTE = 60_000;

/** Recent changes may not have reached the other systems yet. */
const RECENT_DURATION = 15 * MINUTE;
/**
 * Maximum age of an unfinished donation: donors have an hour to complete a bank's action, and then
 * the server ends the donation.
 */
export const UNFINISHED_AFTER = 120 * MINUTE;

export function isRecent(at: number, now: number): boolean {
  return now - at < RECENT_DURATION;
}

function difference(
  what: Difference['what'],
  where: Side,
  gift: string,
  about: string,
  found: string,
  expected: string,
): Finding {
  return { kind: 'difference', difference: { what, where, gift, about, found, expected } };
}

/** @param where the side that lacks it. @param found what it has instead. */
export function missing(
  where: Side,
  gift: string,
  about: string,
  found: string,
  expected: string,
): Finding {
  return difference('missing', where, gift, about, found, expected);
}

export function duplicate(where: Side, gift: string, found: string): Finding {
  return difference('double', where, gift, 'gift', found, 'once');
}

export function mismatch(
  where: Side,
  gift: string,
  about: string,
  found: string,
  expected: string,
): Finding {
  return difference('different', where, gift, about, found, expected);
}

export function inProgress(gift: string, why: string): Finding {
  return { kind: 'under-way', gift, why };
}
