import {
  isMergeTag,
  type FoundValue,
  type IgnoredValue,
  type SettingCandidate,
  type SettingName,
  type SettingSource,
} from './setting-source.ts';
import type { ParseResult } from './parsers.ts';
import { sortByPrecedence } from './precedence.ts';

/** A valid value with its source. */
export interface ValidValue<Value> {
  readonly value: Value;
  readonly source: SettingSource;
  readonly name: string;
}

/**
 * Resolves each setting to its strongest valid candidate. Records the applied candidate, and the
 * ignored ones with reasons.
 */
export class SettingResolver {
  /** Applied candidate for each setting that has one. */
  readonly origins: Partial<Record<SettingName, FoundValue>> = {};
  readonly ignored: IgnoredValue[] = [];
  readonly candidates: readonly SettingCandidate[];

  /**
   * @param candidates from all sources, in any order. Within a source, the strongest name must come
   *   first.
   */
  constructor(candidates: readonly SettingCandidate[]) {
    this.candidates = sortByPrecedence(candidates);
  }

  /** Returns all valid values for a setting, strongest first. */
  resolveAllValues<Value>(
    setting: SettingName,
    parse: (value: unknown, source: SettingSource) => ParseResult<Value>,
  ): ValidValue<Value>[] {
    return this.candidates
      .filter((candidate) => candidate.setting === setting)
      .flatMap((candidate) => {
        const { source, name, value } = candidate;
        const result = parseSafely(parse, value, source);
        const winner = this.origins[setting];
        const reason =
          'reason' in result
            ? result.reason
            : winner &&
              (source === winner.source && name.toLowerCase() === winner.name.toLowerCase()
                ? 'repeated'
                : 'overridden');
        if (reason) this.ignored.push({ ...candidate, reason });
        else this.origins[setting] = { source, name, value };
        if ('reason' in result) return [];
        if (!reason)
          this.ignored.push(
            ...(result.itemErrors ?? []).map(({ position, ...error }) => ({
              ...candidate,
              ...error,
              name: name + position,
            })),
          );
        return [{ value: result.value, source, name }];
      });
  }

  /** Returns the strongest valid value for a setting. */
  resolveSetting<Value>(
    setting: SettingName,
    parse: (value: unknown) => ParseResult<Value>,
  ): Value | undefined {
    return this.resolveAllValues(setting, parse)[0]?.value;
  }

  /** Marks the applied value of a setting as overridden by another setting. */
  markOverridden(setting: SettingName): void {
    const origin = this.origins[setting];
    if (!origin) return;
    this.ignored.push({ setting, ...origin, reason: 'overridden' });
    Reflect.deleteProperty(this.origins, setting);
  }
}

/**
 * Parses a value. Reading an object from the page may throw an error; its value is then invalid.
 */
function parseSafely<Value>(
  parse: (value: unknown, source: SettingSource) => ParseResult<Value>,
  value: unknown,
  source: SettingSource,
): ParseResult<Value> {
  try {
    if (typeof value === 'string' && value.trim() === '') return { reason: 'empty' };
    return typeof value === 'string' && isMergeTag(value)
      ? { reason: 'merge-tag' }
      : parse(value, source);
  } catch {
    return { reason: 'invalid' };
  }
}
