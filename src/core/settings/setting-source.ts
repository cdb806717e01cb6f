import type { TrackingField } from '../donation/tracking.ts';
import type { DonorField } from '../donor/donor.ts';
import type { IgnoreReason } from './ignore-reason.ts';

/**
 * Lowest precedence first. `definition`: the form definition. `element`: the element's attributes
 * and properties. `global`: the page's settings. `landing`: earlier URLs of the visit. `url`: the
 * page's URL. The donor's input is not a setting and overrides all sources.
 */
export const SETTING_SOURCES = ['definition', 'element', 'global', 'landing', 'url'] as const;
export type SettingSource = (typeof SETTING_SOURCES)[number];

/** Names of the settings that the element, the page, or a URL can set. */
export type SettingName =
  | DonorField
  | TrackingField
  | 'amount'
  | 'frequency'
  | 'comment'
  | 'currency'
  | 'language'
  | 'segment'
  | 'projectOverride'
  | 'projectPreselect'
  | 'giftArray'
  | 'coverCosts'
  | 'tribute'
  | 'tributeName'
  | `customField:${string}`
  | `consent:${string}`;

export interface SettingCandidate {
  readonly setting: SettingName;
  readonly source: SettingSource;
  /** URL parameter as written, attribute, or path such as `giftInfo.amount`. */
  readonly name: string;
  /** Might be personal data, which reports to the server must not contain. */
  readonly value: unknown;
}

/** A value, its source, and its name in that source. */
export type FoundValue = Omit<SettingCandidate, 'setting'>;

export interface IgnoredValue extends SettingCandidate {
  readonly reason: IgnoreReason;
}

const mergeTagPattern = /^(?:\*\|.*\|\*|\{\{.*\}\}|%%.*%%|\[\[.*\]\]|<[a-z_]+>)$/is;

/** Only in links. Excludes JSON, GUIDs, lists of amounts, and sentences in brackets. */
const linkMergeTagPattern =
  /^(?:\{(?!\s*"|[\da-f-]{8,}\}$).*\}|\[%.*%\]|\[[a-z]\w*(?:,\s*fallback=.*)?\]|([%@~]|##).+\1)$/is;

/** Returns true for a merge tag, such as `*|FNAME|*`, that a mailer failed to replace. */
export function isMergeTag(text: string, source: SettingSource): boolean {
  const isFromLink = source === 'url' || source === 'landing';
  return mergeTagPattern.test(text.trim()) || (isFromLink && linkMergeTagPattern.test(text.trim()));
}

export function isEmptyOrMergeTag(text: string, source: SettingSource): boolean {
  return text.trim() === '' || isMergeTag(text, source);
}
