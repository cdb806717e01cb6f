import { distance } from 'fastest-levenshtein';
import { DONATION_FREQUENCIES } from '../donation/frequency.ts';
import { formatMoney } from '../money/money.ts';
import type { CurrencyOffer, FormDefinition } from '../schemas/form-definition.ts';
import { isProviderParameter } from '../url/return-url.ts';
import { listItems, SETTING_PATHS } from './from-page-settings.ts';
import {
  isKnownParameter,
  listKnownParameters,
  readParameters,
  type UrlAliases,
} from './from-url.ts';
import type { IgnoreReason } from './ignore-reason.ts';
import { getOwnProperty, getOwnPropertyAtPath, isReadableObject } from './read-global.ts';
import type { SettingResolver } from './resolver.ts';
import type { FoundValue, IgnoredValue, SettingName, SettingSource } from './setting-source.ts';

/** Note on an applied value: the setting's name is deprecated, or the value is a synonym. */
export type SettingNote = 'deprecated-name' | 'synonym';

/** Explanation of a setting's value. */
export interface SettingExplanation {
  readonly setting: SettingName;
  /** Value that the form applies. Absent if the value comes from the form definition. */
  readonly applied?: FoundValue & { readonly note?: SettingNote };
  /** Valid values that a value with higher precedence overrides. */
  readonly overridden: readonly FoundValue[];
  readonly ignored: readonly Omit<IgnoredValue, 'setting'>[];
}

/** Unknown name in a URL or settings object, or one with an unusable value. */
export interface UnrecognizedName {
  readonly source: SettingSource;
  readonly name: string;
  /** `wrong-type`: not the expected object, array, or function. `unreadable`: reading it throws. */
  readonly reason: 'unknown' | 'wrong-type' | 'unreadable';
  /** For an unknown name, the known name that the author of the page or link probably meant. */
  readonly suggestion?: string;
}

export const UNRECOGNIZED_LABELS: Readonly<Record<UnrecognizedName['reason'], string>> = {
  unknown: 'unknown name',
  'wrong-type': 'the value has the wrong type',
  unreadable: 'reading the value throws an error',
};

/** Explains each setting with a value from outside the form definition. */
export interface Explanation {
  readonly settings: readonly SettingExplanation[];
  readonly unrecognized: readonly UnrecognizedName[];
}

export function explainSettings(
  { origins, ignored: ignoredValues }: SettingResolver,
  unrecognized: readonly UnrecognizedName[],
): Explanation {
  const names = new Set([
    ...Object.keys(origins),
    ...ignoredValues.map(({ setting }) => setting),
  ]) as Set<SettingName>;
  const settings = [...names].map((setting): SettingExplanation => {
    const applied = origins[setting];
    const others = ignoredValues
      .filter((value) => value.setting === setting)
      .map(({ source, name, value, reason }) => ({ source, name, value, reason }));
    const note = applied && getSettingNote(setting, applied);
    return {
      setting,
      ...(applied && { applied: { ...applied, ...(note && { note }) } }),
      overridden: others
        .filter(({ reason }) => reason === 'overridden')
        .map(({ source, name, value }) => ({ source, name, value })),
      ignored: others.filter(({ reason }) => reason !== 'overridden'),
    };
  });
  return { settings, unrecognized };
}

function getSettingNote(
  setting: SettingName,
  { name, value }: FoundValue,
): SettingNote | undefined {
  if (name.endsWith('projectOverrideCode')) return 'deprecated-name';
  const isCanonical = DONATION_FREQUENCIES.some(
    (frequency) => frequency.toLowerCase() === String(value).trim().toLowerCase(),
  );
  return setting === 'frequency' && !isCanonical ? 'synonym' : undefined;
}

/** URL parameter that makes the form show the explanation of its settings. */
const DEBUG_PARAMETER = 'donation-form-debug';

export function findUnrecognizedParameters(
  search: string,
  aliases?: UrlAliases,
): UnrecognizedName[] {
  const known = listKnownParameters(aliases);
  return [...new Set(readParameters(search).map(([name]) => name))]
    .filter(
      (name) =>
        !isKnownParameter(name, aliases) &&
        name.toLowerCase() !== DEBUG_PARAMETER &&
        !isProviderParameter(name),
    )
    .map((name) => createUnknownNameEntry('url', name, known));
}

const SECTIONS = ['donorInfo', 'giftInfo', 'analyticsTracking'] as const;

export function findUnrecognizedSettings(
  settings: unknown,
  source: 'global' | 'element',
): UnrecognizedName[] {
  if (settings === undefined || settings === null) return [];
  if (!isReadableObject(settings)) return [{ source, name: 'settings', reason: 'wrong-type' }];
  const known = [
    ...SECTIONS,
    'customFieldPreset',
    'onLoad',
    'onSuccess',
    ...SETTING_PATHS.map(([, path]) => path),
  ];
  const nestedNames = SECTIONS.flatMap((section) =>
    listPropertyNames(getOwnProperty(settings, section)).map((key) => `${section}.${key}`),
  );
  const unknownNames = [...listPropertyNames(settings), ...nestedNames]
    .filter((name) => !known.some((path) => path === name))
    .map((name) => createUnknownNameEntry(source, name, known));
  const isWrongType = (name: string, isValid: (value: unknown) => boolean): boolean => {
    const value = getOwnProperty(settings, name);
    return value !== undefined && value !== null && !isValid(value);
  };
  const wrongTypes = [
    ...SECTIONS.filter((section) => isWrongType(section, isReadableObject)),
    ...['customFieldPreset'].filter((name) =>
      isWrongType(name, (value) => listItems(value).length > 0),
    ),
    ...['onLoad', 'onSuccess'].filter((name) =>
      isWrongType(name, (value) => typeof value === 'function'),
    ),
  ];
  return [
    ...unknownNames,
    ...wrongTypes.map((name): UnrecognizedName => ({ source, name, reason: 'wrong-type' })),
    ...known
      .filter((path) => !isPathReadable(settings, path))
      .map((name): UnrecognizedName => ({ source, name, reason: 'unreadable' })),
  ];
}

/** True if a parent is unreadable, because the explanation reports the parent separately. */
function isPathReadable(settings: unknown, path: string): boolean {
  const names = path.split('.');
  const parent = getOwnPropertyAtPath(settings, names.slice(0, -1));
  return !isReadableObject(parent) || isPropertyReadable(parent as object, names.at(-1)!);
}

function isPropertyReadable(holder: object, name: string): boolean {
  try {
    if (Object.hasOwn(holder, name)) Reflect.get(holder, name);
    return true;
  } catch {
    return false;
  }
}

function createUnknownNameEntry(
  source: SettingSource,
  name: string,
  known: readonly string[],
): UnrecognizedName {
  const suggestion = suggestName(name, known);
  return { source, name, reason: 'unknown', ...(suggestion !== undefined && { suggestion }) };
}

const MIN_NAME_LENGTH = 3;

/** Allows one edit per three characters, up to three, or one name that starts with the other. */
function suggestName(name: string, known: readonly string[]): string | undefined {
  const normalized = name.toLowerCase();
  const [nearest] = known
    .map((candidate) => ({ candidate, edits: distance(candidate.toLowerCase(), normalized) }))
    .sort((a, b) => a.edits - b.edits);
  if (nearest && nearest.edits <= Math.min(3, nearest.candidate.length / 3))
    return nearest.candidate;
  return normalized.length < MIN_NAME_LENGTH
    ? undefined
    : known.find(
        (candidate) =>
          candidate.toLowerCase().startsWith(normalized) ||
          (candidate.length >= MIN_NAME_LENGTH && normalized.startsWith(candidate.toLowerCase())),
      );
}

function listPropertyNames(value: unknown): string[] {
  try {
    return isReadableObject(value) ? Object.keys(value as object).slice(0, 100) : [];
  } catch {
    return [];
  }
}

/** For people who create links. docs/campaigns/why-did-my-link-not-work.md has the same. */
export const REASON_LABELS: Readonly<Record<IgnoreReason, string>> = {
  empty: 'the value is empty',
  'merge-tag': 'the email tool did not replace this merge tag',
  invalid: 'the value is invalid',
  'too-long': 'the value is too long',
  'out-of-range': 'the value is below the minimum or above the maximum',
  'not-offered': 'this form does not offer this value',
  repeated: 'only the first value applies',
  overridden: 'another value overrides this value',
};

/** Explains why the form ignores a value and, if the form limits the values, which it accepts. */
export function explainIgnoredValue(
  { setting, reason }: Pick<IgnoredValue, 'setting' | 'reason'>,
  form: FormDefinition,
  currency: CurrencyOffer,
): string {
  const advice = getAdvice(setting, reason, form, currency);
  return `${REASON_LABELS[reason]}${advice === undefined ? '' : `; ${advice}`}`;
}

function getAdvice(
  setting: IgnoredValue['setting'],
  reason: IgnoreReason,
  form: FormDefinition,
  currency: CurrencyOffer,
): string | undefined {
  if (reason === 'not-offered' || reason === 'invalid') {
    const offered = listOfferedValues(setting, form);
    const subject = reason === 'not-offered' ? 'it' : 'this form';
    if (offered.length > 0) return `${subject} offers ${offered.join(', ')}`;
  }
  if (setting !== 'amount' && setting !== 'giftArray') return undefined;
  if (reason === 'out-of-range') return `enter an amount from ${formatRange(currency)}`;
  if (reason !== 'invalid') return undefined;
  return currency.decimals === 0
    ? 'enter digits only, such as 4000'
    : 'enter digits with at most one decimal point, such as 40 or 40.50';
}

function formatRange({ code, decimals, minimum, maximum }: CurrencyOffer): string {
  return `${formatMoney(minimum, code, decimals)} to ${formatMoney(maximum, code, decimals)}`;
}

function listOfferedValues(
  setting: IgnoredValue['setting'],
  { projects, frequencies, currencies }: FormDefinition,
): readonly string[] {
  if (setting === 'projectOverride' || setting === 'projectPreselect')
    return projects.map(({ code, id }) => code ?? id);
  if (setting === 'frequency') return frequencies;
  return setting === 'currency' ? currencies.map(({ code }) => code) : [];
}
