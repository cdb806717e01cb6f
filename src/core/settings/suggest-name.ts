import { distance } from 'fastest-levenshtein';

const MIN_LENGTH = 3;

/**
 * Suggests a known name that differs by at most one edit per three characters, up to three, or that
 * starts with the name or the reverse.
 */
export function suggestName(name: string, known: readonly string[]): string | undefined {
  const normalized = name.toLowerCase();
  const [nearest] = known
    .map((candidate) => ({ candidate, edits: distance(candidate.toLowerCase(), normalized) }))
    .sort((a, b) => a.edits - b.edits);
  if (nearest && nearest.edits <= Math.min(3, nearest.candidate.length / 3))
    return nearest.candidate;
  return normalized.length < MIN_LENGTH
    ? undefined
    : known.find(
        (candidate) =>
          candidate.toLowerCase().startsWith(normalized) ||
          (candidate.length >= MIN_LENGTH && normalized.startsWith(candidate.toLowerCase())),
      );
}
