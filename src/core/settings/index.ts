export {
  buildLink,
  type CampaignLink,
  checkLink,
  explainUnknownName,
  listParameterNotes,
  type LinkCheck,
  readLink,
  type UnknownName,
} from './campaign-link.ts';
export {
  explainSettings,
  type SettingExplanation,
  type Explanation,
  type SettingNote,
  type UnrecognizedName,
  findUnrecognizedParameters,
  findUnrecognizedSettings,
} from './explain.ts';
export { ELEMENT_PROPERTIES, readElementSettings } from './from-attributes.ts';
export { getCallback, readSettingsObject, SETTING_PATHS } from './from-page-settings.ts';
export { readParameters, readUrlAndLanding } from './from-url.ts';
export { isPersonalParameter, LANDING_STORAGE_KEY } from './personal-parameter.ts';
export { type OptionalSettings, resolveOptionalSettings } from './resolve-optional-settings.ts';
export { explainIgnoredValue, REASON_LABELS } from './explain-ignored-value.ts';
export { type IgnoreReason, isMistake } from './ignore-reason.ts';
export { extractCampaignQuery } from './landing.ts';
export {
  checkLinksInCsv,
  decodeCsv,
  hasProblem,
  isMisdirected,
  type CheckedLink,
  describeSelectedSettings,
  explainForeignSite,
  formatSelection,
  summarizeLinks,
} from './check-links-in-csv.ts';
export {
  resolveFormSettings,
  type FormSettings,
  getSuggestedAmounts,
} from './resolve-form-settings.ts';
export { resolveSettings, type Settings } from './resolve-settings.ts';
export { isReadableObject, readConsent, readGlobalSettings } from './read-global.ts';
export { SettingResolver } from './resolver.ts';
export {
  type FoundValue,
  type SettingCandidate,
  type IgnoredValue,
  isMergeTag,
  type SettingSource,
  type SettingName,
} from './setting-source.ts';
