import type { SettingCandidate, SettingName } from './setting-source.ts';
import { readSettingsObject } from './from-page-settings.ts';

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
