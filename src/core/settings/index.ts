export {
  buildLink,
  type CampaignLink,
  checkLink,
  type LinkCheck,
  readLink,
  type UnknownName,
} from './campaign-link.ts';
export {
  explain,
  type Explained,
  type Explanation,
  type FoundValue,
  type SettingNote,
  type Unread,
  unreadInAddress,
  unreadInSettings,
} from './explain.ts';
export { COMPONENT_PROPERTIES, readComponent } from './from-attributes.ts';
export { callbackOf, readSettings } from './from-page-settings.ts';
export { isPersonal, LANDING_KEY, readAddresses } from './from-url.ts';
export { type HiddenSettings, mergeHidden } from './hidden-fields.ts';
export { type IgnoreReason, isMistake } from './ignore-reason.ts';
export { landingOf } from './landing.ts';
export {
  checkTable,
  decodeTable,
  isFaulty,
  type LinkRow,
  selectedBy,
  summaryOf,
} from './link-checker.ts';
export { merge, type Settings, suggestedFor } from './merge-settings.ts';
export { consentOf, settingsOf } from './read-global.ts';
export type { Decisions } from './resolver.ts';
export {
  type Candidate,
  type Ignored,
  isMergeTag,
  type Layer,
  type SettingName,
} from './setting-source.ts';
