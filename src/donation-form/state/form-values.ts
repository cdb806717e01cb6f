import type { Entries } from './form-state.ts';

/** The value of a control that has one; empty where it has none. */
export function firstOf(entries: Entries, name: string): string {
  return entries[name]?.[0] ?? '';
}

/** Whether a box, or any of several with one name, is ticked. */
export function isTicked(entries: Entries, name: string): boolean {
  return (entries[name]?.length ?? 0) > 0;
}
