import { SETTING_SOURCES, type SettingCandidate } from './setting-source.ts';

/**
 * Sorts candidates by the precedence of their sources, highest first. Keeps the order of candidates
 * from the same source.
 */
export function sortByPrecedence(candidates: readonly SettingCandidate[]): SettingCandidate[] {
  return [...candidates].sort(
    (a, b) => SETTING_SOURCES.indexOf(b.source) - SETTING_SOURCES.indexOf(a.source),
  );
}
