/**
 * Why a value of an address or of a page's settings does not count, where that is somebody's
 * mistake.
 */
export const MISTAKES = [
  'merge-tag',
  'invalid',
  'too-long',
  'out-of-range',
  'not-offered',
] as const;

/** Why a value does not count: a mistake, or it is absent, there twice, or weaker than another. */
export type IgnoreReason = (typeof MISTAKES)[number] | 'empty' | 'repeated' | 'beaten';

export function isMistake(reason: IgnoreReason): reason is (typeof MISTAKES)[number] {
  return MISTAKES.some((mistake) => mistake === reason);
}
