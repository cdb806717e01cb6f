import { tellStory } from './actions.ts';
import type { SearchResult } from './search.ts';

/** Tells how a rule was broken. */
export function describeViolation({ violation }: SearchResult): string | undefined {
  return violation && `${tellStory(violation.trace)}\nSo ${violation.rule}: ${violation.state}`;
}
