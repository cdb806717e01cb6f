import { DONOR_FIELDS } from '../donor/donor.ts';
import { TRACKING_FIELDS } from '../donation/tracking.ts';
import { isBlank, type Candidate, type Layer, type SettingName } from './setting-source.ts';
import { own } from './read-global.ts';

/**
 * Fundraising Platform API, 'Embedded form settings': each setting's paths, the strongest first.
 */
export const SETTING_PATHS: readonly (readonly [SettingName, string])[] = [
  ...DONOR_FIELDS.map((name) => [name, `donorInfo.${name}`] as const),
  ['giftArray', 'giftInfo.giftArrays'],
  ['amount', 'giftInfo.amount'],
  ['frequency', 'giftInfo.frequency'],
  ['coverCosts', 'giftInfo.coverCosts'],
  ['comment', 'giftInfo.comments'],
  ['segment', 'giftInfo.segmentOverrideCode'],
  ['projectOverride', 'giftInfo.projectCodeOverride'],
  ['projectOverride', 'giftInfo.projectOverrideCode'],
  ['projectPreselect', 'giftInfo.projectCodePreselect'],
  ...TRACKING_FIELDS.map((name) => [name, `analyticsTracking.${name}`] as const),
];

/**
 * Reads settings as they stand in `window.ServiceDonorsForms.settings`, whatever somebody has put
 * there, and throws for none of it.
 */
export function readSettings(settings: unknown, layer: Layer): Candidate[] {
  const found = SETTING_PATHS.map(([setting, name]) => ({
    setting,
    layer,
    name,
    value: name.split('.').reduce(own, settings),
  }));
  const isNamedAnew = found.some(
    ({ name, value }) =>
      name.endsWith('projectCodeOverride') && typeof value === 'string' && !isBlank(value),
  );
  return [...found, ...presets(settings, layer)].filter(
    ({ name, value }) =>
      value !== undefined &&
      value !== null &&
      !(isNamedAnew && name.endsWith('projectOverrideCode')),
  );
}

/** Of two presets of one custom field the last counts (rule 48). */
function presets(settings: unknown, layer: Layer): Candidate[] {
  return itemsOf(own(settings, 'customFieldPreset'))
    .reverse()
    .flatMap((item): Candidate[] => {
      const id = own(item, 'id');
      return typeof id === 'string' || typeof id === 'number'
        ? [
            {
              setting: `customField:${id}`,
              layer,
              name: `customFieldPreset.${id}`,
              value: own(item, 'value'),
            },
          ]
        : [];
    });
}

/** The page's callback of this name, looked up now. */
export function callbackOf(
  settings: unknown,
  name: 'onLoad' | 'onSuccess',
): ((...values: unknown[]) => unknown) | undefined {
  const callback = own(settings, name);
  return typeof callback === 'function'
    ? (callback as (...values: unknown[]) => unknown)
    : undefined;
}

/** How many items of an array are read. */
const MOST_ITEMS = 100;

/** The items of an array; none of anything else. */
export function itemsOf(value: unknown): unknown[] {
  try {
    return Array.isArray(value) ? value.slice(0, MOST_ITEMS) : [];
  } catch {
    return [];
  }
}
