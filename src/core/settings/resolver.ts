import { MAX_TEXT_LENGTH } from '../donor/donor.ts';
import type { ParseResult } from './parsers.ts';
import {
  type FoundValue,
  type IgnoredValue,
  isMergeTag,
  SETTING_SOURCES,
  type SettingCandidate,
  type SettingName,
  type SettingSource,
} from './setting-source.ts';

export type ValidValue<Value> = FoundValue & { readonly value: Value };

/** Resolves each setting to the valid candidate with the highest precedence. */
export class SettingResolver {
  readonly origins: Partial<Record<SettingName, FoundValue>> = {};
  readonly ignored: IgnoredValue[] = [];
  readonly candidates: readonly SettingCandidate[];

  /** @param candidates see {@link resolveSettings}. */
  constructor(candidates: readonly SettingCandidate[]) {
    this.candidates = [...candidates].sort(
      (a, b) => SETTING_SOURCES.indexOf(b.source) - SETTING_SOURCES.indexOf(a.source),
    );
  }

  /** Returns all valid values for a setting, highest precedence first. */
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

  resolveSetting<Value>(
    setting: SettingName,
    parse: (value: unknown) => ParseResult<Value>,
  ): Value | undefined {
    return this.resolveAllValues(setting, parse)[0]?.value;
  }

  markOverridden(setting: SettingName): void {
    const origin = this.origins[setting];
    if (!origin) return;
    this.ignored.push({ setting, ...origin, reason: 'overridden' });
    Reflect.deleteProperty(this.origins, setting);
  }
}

/** A page's object that throws an error when read is invalid. */
function parseSafely<Value>(
  parse: (value: unknown, source: SettingSource) => ParseResult<Value>,
  value: unknown,
  source: SettingSource,
): ParseResult<Value> {
  try {
    if (typeof value !== 'string') return parse(value, source);
    if (value.length > MAX_TEXT_LENGTH) return { reason: 'too-long' };
    if (value.trim() === '') return { reason: 'empty' };
    return isMergeTag(value, source) ? { reason: 'merge-tag' } : parse(value, source);
  } catch {
    return { reason: 'invalid' };
  }
}
