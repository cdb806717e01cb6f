import type { Difference, ReportLine, Side } from './report.ts';

/** What a comparison finds of one gift. */
export type Finding = Extract<ReportLine, { kind: 'difference' | 'under-way' }>;

const MINUTE = 60_000;

/** What happened so short ago may still be on its way to the others. */
const YOUNG = 15 * MINUTE;
/**
 * How long a gift may be without an end: donors have an hour for what a bank asks, and the server
 * then ends it.
 */
export const UNFINISHED_AFTER = 120 * MINUTE;

export function isRecent(at: number, now: number): boolean {
  return now - at < YOUNG;
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

/** @param where who does not have it. @param found what stands there instead. */
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
