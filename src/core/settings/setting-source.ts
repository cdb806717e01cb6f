import type { DonorField } from '../donor/donor.ts';
import type { IgnoreReason } from './ignore-reason.ts';
import type { TrackingField } from '../donation/tracking.ts';

/**
 * Where a value comes from, the weakest first: the form's definition, the element's attributes and
 * properties, the page's
 * settings, the address by which the visitor came to the site, the page's address.
 * What a donor entered is stronger than all of them and is no setting.
 */
export const LAYERS = ['definition', 'element', 'global', 'landing', 'url'] as const;
export type Layer = (typeof LAYERS)[number];

/** What can be set from outside the form. */
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
  | `customField:${string}`;

/** A value that was found, not yet checked. */
export interface Candidate {
  readonly setting: SettingName;
  readonly layer: Layer;
  /**
   * The name it came by: a URL parameter as written, an attribute, or a path such as
   * `giftInfo.amount`.
   */
  readonly name: string;
  /** It may be personal: it stays on the page. */
  readonly value: unknown;
}

/** A value that does not count. */
export interface Ignored extends Candidate {
  readonly reason: IgnoreReason;
}

const mergeTag = /^(?:\*\|.*\|\*|\{\{.*\}\}|%%.*%%|\[\[.*\]\]|<[a-z_]+>)$/is;

/** Whether a text is a mailer's merge tag, such as `*|FNAME|*`, that was not filled in. */
export function isMergeTag(text: string): boolean {
  return mergeTag.test(text.trim());
}

/** Whether a text says nothing: it is empty, or a merge tag. */
export function isBlank(text: string): boolean {
  return text.trim() === '' || isMergeTag(text);
}
