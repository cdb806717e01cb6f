/** Reasons for ignoring a value that indicate a mistake in the link or the page's settings. */
export const MISTAKE_REASONS = [
  'merge-tag',
  'invalid',
  'too-long',
  'out-of-range',
  'not-offered',
] as const;

/** Reason for ignoring a value: a mistake, an empty or repeated value, or a stronger value. */
export type IgnoreReason = (typeof MISTAKE_REASONS)[number] | 'empty' | 'repeated' | 'overridden';

export function isMistake(reason: IgnoreReason): reason is (typeof MISTAKE_REASONS)[number] {
  return MISTAKE_REASONS.some((mistake) => mistake === reason);
}
