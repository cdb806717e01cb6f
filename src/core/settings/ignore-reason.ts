/** Reasons for ignoring a value that point to a mistake in a link or in the page's settings. */
export const MISTAKE_REASONS = [
  'merge-tag',
  'invalid',
  'too-long',
  'out-of-range',
  'not-offered',
] as const;

export type IgnoreReason = (typeof MISTAKE_REASONS)[number] | 'empty' | 'repeated' | 'overridden';

export function isMistake(reason: IgnoreReason): reason is (typeof MISTAKE_REASONS)[number] {
  return MISTAKE_REASONS.some((mistake) => mistake === reason);
}
