import { TRACKING_FIELDS } from '../donation/tracking.ts';
import { DONOR_FIELDS } from '../donor/donor.ts';
import { getOwnProperty, getOwnPropertyAtPath } from './read-global.ts';
import {
  isEmptyOrMergeTag,
  type SettingCandidate,
  type SettingName,
  type SettingSource,
} from './setting-source.ts';

/** Highest precedence first (Fundraising Platform API, "Embedded form settings"). */
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

/** Reads a settings object such as `window.ServiceDonorsForms.settings`. Never throws an error. */
export function readSettingsObject(settings: unknown, source: SettingSource): SettingCandidate[] {
  const candidates = SETTING_PATHS.map(([setting, name]) => ({
    setting,
    source,
    name,
    value: getOwnPropertyAtPath(settings, name.split('.')),
  }));
  const hasCurrentProjectName = candidates.some(
    ({ name, value }) =>
      name.endsWith('projectCodeOverride') &&
      typeof value === 'string' &&
      !isEmptyOrMergeTag(value, source),
  );
  return [...candidates, ...readCustomFieldPresets(settings, source)].filter(
    ({ name, value }) =>
      value !== undefined &&
      value !== null &&
      !(hasCurrentProjectName && name.endsWith('projectOverrideCode')),
  );
}

/** Reads presets in reverse order, because a field's last preset takes precedence (rule 48). */
function readCustomFieldPresets(settings: unknown, source: SettingSource): SettingCandidate[] {
  return listItems(getOwnProperty(settings, 'customFieldPreset'))
    .reverse()
    .flatMap((item): SettingCandidate[] => {
      const id = getOwnProperty(item, 'id');
      return typeof id === 'string' || typeof id === 'number'
        ? [
            {
              setting: `customField:${id}`,
              source,
              name: `customFieldPreset.${id}`,
              value: getOwnProperty(item, 'value'),
            },
          ]
        : [];
    });
}

export function getCallback(
  settings: unknown,
  name: 'onLoad' | 'onSuccess',
): ((...values: unknown[]) => unknown) | undefined {
  const callback = getOwnProperty(settings, name);
  return typeof callback === 'function'
    ? (callback as (...values: unknown[]) => unknown)
    : undefined;
}

export function listItems(value: unknown): unknown[] {
  try {
    return Array.isArray(value) ? value.slice() : [];
  } catch {
    return [];
  }
}

/** The element's properties, with the setting and the attribute of each property. */
export const ELEMENT_PROPERTIES = {
  amount: ['amount', 'amount'],
  amounts: ['giftArray', 'amounts'],
  frequency: ['frequency', 'frequency'],
  currency: ['currency', 'currency'],
  language: ['language', 'language'],
  segment: ['segment', 'segment'],
  project: ['projectOverride', 'project'],
  projectPreselect: ['projectPreselect', 'project-preselect'],
  coverCosts: ['coverCosts', 'cover-costs'],
} as const satisfies Record<string, readonly [SettingName, string]>;

export interface ElementSettings extends Partial<Record<keyof typeof ELEMENT_PROPERTIES, unknown>> {
  /** Object with the same structure as `window.ServiceDonorsForms.settings`. */
  readonly settings?: unknown;
}

/** Attributes and properties take precedence over the `settings` property. */
export function readElementSettings(element: ElementSettings): SettingCandidate[] {
  const properties = Object.entries(ELEMENT_PROPERTIES).map(
    ([property, [setting, name]]): SettingCandidate => {
      const value = element[property as keyof typeof ELEMENT_PROPERTIES];
      return {
        setting,
        source: 'element',
        name,
        value: setting === 'coverCosts' && value === '' ? true : value,
      };
    },
  );
  return [
    ...properties.filter(({ value }) => value !== undefined && value !== null),
    ...readSettingsObject(element.settings, 'element'),
  ];
}
