import { SETTING_SOURCES, type SettingCandidate } from './setting-source.ts';

/** Sorts candidates by source, strongest first. Keeps their order within a source. */
export function sortByPrecedence(candidates: readonly SettingCandidate[]): SettingCandidate[] {
  return [...candidates].sort(
    (a, b) => SETTING_SOURCES.indexOf(b.source) - SETTING_SOURCES.indexOf(a.source),
  );
}
