import type { Candidate, SettingName } from './setting-source.ts';
import { readSettings } from './from-page-settings.ts';

/** What a form's own tag sets: for each property the setting, and the attribute. */
export const COMPONENT_PROPERTIES = {
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

/** What a form's own tag says: texts where they are attributes. */
export interface ComponentSettings extends Partial<
  Record<keyof typeof COMPONENT_PROPERTIES, unknown>
> {
  /** Settings of the shape of `window.ServiceDonorsForms.settings`. */
  readonly settings?: unknown;
}

/** Reads a form's attributes and properties, then its property `settings`. */
export function readComponent(component: ComponentSettings): Candidate[] {
  const properties = Object.entries(COMPONENT_PROPERTIES).map(
    ([property, [setting, name]]): Candidate => {
      const value = component[property as keyof typeof COMPONENT_PROPERTIES];
      return {
        setting,
        layer: 'element',
        name,
        value: setting === 'coverCosts' && value === '' ? true : value,
      };
    },
  );
  return [
    ...properties.filter(({ value }) => value !== undefined && value !== null),
    ...readSettings(component.settings, 'element'),
  ];
}
