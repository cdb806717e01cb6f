import type { DonorField } from '../donor/donor.ts';
import type { IgnoreReason } from './ignore-reason.ts';
import type { TrackingField } from '../donation/tracking.ts';

/**
 * Sources of settings, weakest first. `definition`: the form definition. `element`: the element's
 * attributes and properties. `global`: the page's settings. `landing`: earlier URLs of the visit.
 * `url`: the page's URL. The donor's input is not a setting and overrides all of them.
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

/** A value from a setting source, before validation. */
export interface SettingCandidate {
  readonly setting: SettingName;
  readonly source: SettingSource;
  /** URL parameter as written, attribute, or path such as `giftInfo.amount`. */
  readonly name: string;
  /** May be personal data, so it must not leave the page. */
  readonly value: unknown;
}

/** A value, its source, and its name in that source. */
export type FoundValue = Omit<SettingCandidate, 'setting'>;

/** An ignored value, with the reason. */
export interface IgnoredValue extends SettingCandidate {
  readonly reason: IgnoreReason;
}

const mergeTagPattern = /^(?:\*\|.*\|\*|\{\{.*\}\}|%%.*%%|\[\[.*\]\]|<[a-z_]+>)$/is;

/** Returns true if the text is a mailer's unreplaced merge tag, such as `*|FNAME|*`. */
export function isMergeTag(text: string): boolean {
  return mergeTagPattern.test(text.trim());
}

/** Returns true if the text is empty or an unreplaced merge tag. */
export function isEmptyOrMergeTag(text: string): boolean {
  return text.trim() === '' || isMergeTag(text);
}
