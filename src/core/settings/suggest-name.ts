import { distance } from 'fastest-levenshtein';

const SHORTEST = 3;

/**
 * The known name that an unknown one may stand for: at most a third of it is written otherwise, or
 * one begins with the other.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const given = name.toLowerCase().replace(/^amp;/, '');
  const [nearest] = known
    .map((one) => ({ one, steps: distance(one.toLowerCase(), given) }))
    .sort((a, b) => a.steps - b.steps);
  if (nearest && nearest.steps <= Math.min(3, nearest.one.length / 3)) return nearest.one;
  return given.length < SHORTEST
    ? undefined
    : known.find(
        (one) =>
          one.toLowerCase().startsWith(given) ||
          (one.length >= SHORTEST && given.startsWith(one.toLowerCase())),
      );
}
