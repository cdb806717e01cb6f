import type { DonorField } from '../model/donor.ts';

/** Where a value comes from, the weakest first. What a donor entered is stronger than all of them and is no setting. */
export type Layer = 'definition' | 'global' | 'url';

/** What can be set from outside the form. */
export type SettingName = DonorField | 'amount' | 'frequency' | 'comment' | 'currency' | 'segment' | 'projectOverride' | 'projectPreselect' | 'giftArray' | 'coverCosts';

/** A value that was found, not yet checked. */
export interface Candidate {
  readonly setting: SettingName;
  readonly layer: Layer;
  /** The name it came by: a URL parameter as written, or a path such as `giftInfo.amount`. */
  readonly name: string;
  readonly value: unknown;
}

/** Why a value does not count. */
export type IgnoreReason = 'invalid' | 'too-long' | 'not-offered' | 'repeated' | 'beaten';

/** A value that does not count; it is named, never repeated: it may be personal. */
export interface Ignored {
  readonly setting: SettingName;
  readonly layer: Layer;
  readonly name: string;
  readonly reason: IgnoreReason;
}

const mergeTag = /^(?:\*\|.*\|\*|\{\{.*\}\}|%%.*%%|\[\[.*\]\]|<[A-Z_]+>)$/s;

/** Whether a text is a mailer's merge tag, such as `*|FNAME|*`, that was not filled in. */
export function isMergeTag(text: string): boolean {
  return mergeTag.test(text.trim());
}

/** Whether a text says nothing: it is empty, or a merge tag. */
export function isBlank(text: string): boolean {
  return text.trim() === '' || isMergeTag(text);
}
