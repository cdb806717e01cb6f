import { GIFT_FREQUENCIES } from '../donation/frequency.ts';
import { isProcessors } from '../url/return-url.ts';
import type { Candidate, Ignored, Layer, SettingName } from './setting-source.ts';
import type { Decisions } from './resolver.ts';
import { nearestName } from './suggest-name.ts';
import { own } from './read-global.ts';
import { SETTING_PATHS, itemsOf } from './from-page-settings.ts';
import { URL_NAMES } from './from-url.ts';

/**
 * A value that was found somewhere, and the name it came by: a URL parameter as written, an
 * attribute, or a path such as `giftInfo.amount`.
 */
export type FoundValue = Omit<Candidate, 'setting'>;

/**
 * What is worth knowing of a value that counts: its name or its word is one that should no longer
 * be used.
 */
export type SettingNote = 'deprecated-name' | 'other-word';

/** How a setting came to be what it is. */
export interface Explained {
  readonly setting: SettingName;
  /** What decided; absent where nothing but the form's definition has a say. */
  readonly decided?: FoundValue & { readonly note?: SettingNote };
  /** Weaker values that would have been valid too. */
  readonly beaten: readonly FoundValue[];
  readonly ignored: readonly Omit<Ignored, 'setting'>[];
}

/** A name that nothing reads. */
export interface Unread {
  readonly layer: Layer;
  readonly name: string;
  /**
   * wrong-kind: the name is known, but what stands there is neither an object nor a list where one
   * is expected.
   */
  readonly reason: 'unknown' | 'wrong-kind';
  /** The known name that an unknown one may stand for. */
  readonly meant?: string;
}

/** For every setting: what decided it, what it beat, and what was ignored and why. */
export interface Explanation {
  readonly settings: readonly Explained[];
  readonly unread: readonly Unread[];
}

/**
 * Explains what was decided. Pure, and loaded only when somebody asks.
 * @param unread what {@link unreadInAddress} and {@link unreadInSettings} found.
 */
export function explain(decided: readonly Decisions[], unread: readonly Unread[]): Explanation {
  const origins = Object.fromEntries(
    decided.flatMap((one) => Object.entries(one.origins)),
  ) as Decisions['origins'];
  const ignored = decided.flatMap((one) => one.ignored);
  const names = new Set([
    ...Object.keys(origins),
    ...ignored.map(({ setting }) => setting),
  ]) as Set<SettingName>;
  const settings = [...names].map((setting): Explained => {
    const decided = origins[setting];
    const others = ignored
      .filter((one) => one.setting === setting)
      .map(({ layer, name, value, reason }) => ({ layer, name, value, reason }));
    const note = decided && noteOn(setting, decided);
    return {
      setting,
      ...(decided && { decided: { ...decided, ...(note && { note }) } }),
      beaten: others
        .filter(({ reason }) => reason === 'beaten')
        .map(({ layer, name, value }) => ({ layer, name, value })),
      ignored: others.filter(({ reason }) => reason !== 'beaten'),
    };
  });
  return { settings, unread };
}

function noteOn(setting: SettingName, { name, value }: FoundValue): SettingNote | undefined {
  if (name.endsWith('projectOverrideCode')) return 'deprecated-name';
  const isOwnWord = GIFT_FREQUENCIES.some(
    (frequency) => frequency.toLowerCase() === String(value).trim().toLowerCase(),
  );
  return setting === 'frequency' && !isOwnWord ? 'other-word' : undefined;
}

/** What shows all this on the page. */
const DEBUG_NAME = 'donation-form-debug';

/**
 * Names of an address that the form does not read; what payment processors append is nobody's
 * setting.
 * @param search such as `?ammount=75`.
 */
export function unreadInAddress(search: string, layer: 'url' | 'landing' = 'url'): Unread[] {
  const known = [...Object.values(URL_NAMES).flat(), DEBUG_NAME];
  return [...new Set(new URLSearchParams(search).keys())]
    .filter((name) => !known.some((one) => one === name.toLowerCase()) && !isProcessors(name))
    .map((name) => unknown(layer, name, known));
}

const SECTIONS = ['donorInfo', 'giftInfo', 'analyticsTracking'] as const;

/**
 * Names of a page's settings that the form does not read, and sections that are of a wrong kind.
 */
export function unreadInSettings(settings: unknown, layer: 'global' | 'element'): Unread[] {
  if (settings !== undefined && !isObject(settings))
    return [{ layer, name: 'settings', reason: 'wrong-kind' }];
  const known = [
    ...SECTIONS,
    'customFieldPreset',
    'onLoad',
    'onSuccess',
    ...SETTING_PATHS.map(([, path]) => path),
  ];
  const inside = SECTIONS.flatMap((section) =>
    keysOf(own(settings, section)).map((key) => `${section}.${key}`),
  );
  const unknowns = [...keysOf(settings), ...inside]
    .filter((name) => !known.some((one) => one === name))
    .map((name) => unknown(layer, name, known));
  const wrong = [
    ...SECTIONS.filter(
      (section) => own(settings, section) != null && !isObject(own(settings, section)),
    ),
    ...(own(settings, 'customFieldPreset') != null &&
    itemsOf(own(settings, 'customFieldPreset')).length === 0
      ? ['customFieldPreset']
      : []),
    ...(['onLoad', 'onSuccess'] as const).filter(
      (name) => own(settings, name) != null && typeof own(settings, name) !== 'function',
    ),
  ];
  return [...unknowns, ...wrong.map((name): Unread => ({ layer, name, reason: 'wrong-kind' }))];
}

function unknown(layer: Layer, name: string, known: readonly string[]): Unread {
  const meant = nearestName(name, known);
  return { layer, name, reason: 'unknown', ...(meant !== undefined && { meant }) };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function keysOf(holder: unknown): string[] {
  try {
    return isObject(holder) ? Object.keys(holder as object).slice(0, 100) : [];
  } catch {
    return [];
  }
}
