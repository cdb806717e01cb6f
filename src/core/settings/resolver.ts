import {
  isMergeTag,
  type Candidate,
  type Ignored,
  type Layer,
  type SettingName,
} from './setting-source.ts';
import type { Reading } from './parsers.ts';

/** A valid value, and where it was found. */
export interface Valid<Value> {
  readonly value: Value;
  readonly layer: Layer;
  readonly name: string;
}

/** What decided a setting. */
export type Origin = Omit<Candidate, 'setting'>;

/**
 * Decides settings, one after another: of each the first valid candidate counts. It remembers what
 * decided each, and what does not count and why.
 */
export class Decisions {
  /** For each setting that some layer decided, what did. */
  readonly origins: Partial<Record<SettingName, Origin>> = {};
  readonly ignored: Ignored[] = [];
  readonly candidates: readonly Candidate[];

  /** @param candidates the strongest layer first, and within it the strongest name first. */
  constructor(candidates: readonly Candidate[]) {
    this.candidates = candidates;
  }

  /** The valid values of a setting, the strongest first. */
  valid<Value>(setting: SettingName, read: (value: unknown) => Reading<Value>): Valid<Value>[] {
    return this.candidates
      .filter((candidate) => candidate.setting === setting)
      .flatMap((candidate) => {
        const { layer, name, value } = candidate;
        const reading = readSafely(read, value);
        const winner = this.origins[setting];
        const reason =
          'reason' in reading
            ? reading.reason
            : winner &&
              (layer === winner.layer && name.toLowerCase() === winner.name.toLowerCase()
                ? 'repeated'
                : 'beaten');
        if (reason) this.ignored.push({ ...candidate, reason });
        else this.origins[setting] = { layer, name, value };
        if ('reason' in reading) return [];
        if (!reason)
          this.ignored.push(
            ...(reading.faults ?? []).map(({ at, ...fault }) => ({
              ...candidate,
              ...fault,
              name: name + at,
            })),
          );
        return [{ value: reading.value, layer, name }];
      });
  }

  strongest<Value>(
    setting: SettingName,
    read: (value: unknown) => Reading<Value>,
  ): Value | undefined {
    return this.valid(setting, read)[0]?.value;
  }
}

/** What a page puts into its settings may throw when it is read. */
function readSafely<Value>(
  read: (value: unknown) => Reading<Value>,
  value: unknown,
): Reading<Value> {
  try {
    if (typeof value === 'string' && value.trim() === '') return { reason: 'empty' };
    return typeof value === 'string' && isMergeTag(value) ? { reason: 'merge-tag' } : read(value);
  } catch {
    return { reason: 'invalid' };
  }
}
