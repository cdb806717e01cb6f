import type { DonorField } from '../donor/donor.ts';
import type { IgnoreReason } from './ignore-reason.ts';
import type { TrackingField } from '../donation/tracking.ts';

/**
 * Sources of settings, weakest first: the form definition, the element's attributes and properties,
 * the page's settings, the URL by which the visitor reached the site, and the page's URL.
 * Input from the donor overrides all of them and is not a setting.
 */
export const SETTING_SOURCES = ['definition', 'element', 'global', 'landing', 'url'] as const;
export type SettingSource = (typeof SETTING_SOURCES)[number];

/** Settings that can be set from outside the form. */
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

/** A value that has been found but not yet validated. */
export interface SettingCandidate {
  readonly setting: SettingName;
  readonly source: SettingSource;
  /** URL parameter as written, attribute, or path such as `giftInfo.amount`. */
  readonly name: string;
  /** May be personal data, so it must not leave the page. */
  readonly value: unknown;
}

/** A value for a known setting, and its name in the source. */
export type FoundValue = Omit<SettingCandidate, 'setting'>;

/** An unused value, with the reason. */
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
