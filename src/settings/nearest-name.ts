import { distance } from 'fastest-levenshtein';

/** The known name that an unknown one may stand for: at most a third of it is written otherwise. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const [nearest] = known.map((one) => ({ one, steps: distance(one.toLowerCase(), name.toLowerCase()) })).sort((a, b) => a.steps - b.steps);
  return nearest && nearest.steps <= Math.min(3, nearest.one.length / 3) ? nearest.one : undefined;
}
