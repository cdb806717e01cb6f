import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import type { SettingCandidate } from '../../src/core/settings/setting-source.ts';
import {
  readElementSettings,
  type ElementSettings,
} from '../../src/core/settings/from-attributes.ts';
import {
  resolveHiddenSettings,
  type HiddenSettings,
} from '../../src/core/settings/resolve-hidden-settings.ts';
import { readSettingsObject } from '../../src/core/settings/from-page-settings.ts';
import {
  resolveVisibleSettings,
  type Settings,
} from '../../src/core/settings/resolve-visible-settings.ts';
import type { FormContext } from '../../src/core/form-state/form-state.ts';
import { readUrlParameters } from '../../src/core/settings/from-url.ts';
import { exampleForm } from '../example-form.ts';

/** Finds settings in the element, the page's settings, and a URL: the resolver sorts them. */
export const findCandidates = (
  search: string,
  settings: unknown = {},
  component: ElementSettings = {},
): SettingCandidate[] => [
  ...readElementSettings(component),
  ...readSettingsObject(settings, 'global'),
  ...readUrlParameters(search),
];

/** Merges the visible and hidden settings of all sources. */
export function mergeAllSettings(
  search: string,
  settings: unknown = {},
  component: ElementSettings = {},
  form: FormDefinition = exampleForm,
): Settings & HiddenSettings {
  const candidates = findCandidates(search, settings, component);
  return {
    ...resolveVisibleSettings(form, candidates).settings,
    ...resolveHiddenSettings(form, candidates).settings,
  };
}

/** Lists ignored values, such as `url amount invalid`. */
export function listIgnored(
  search: string,
  settings: unknown = {},
  component: ElementSettings = {},
  form: FormDefinition = exampleForm,
): string[] {
  const candidates = findCandidates(search, settings, component);
  return [
    ...resolveVisibleSettings(form, candidates).resolver.ignored,
    ...resolveHiddenSettings(form, candidates).resolver.ignored,
  ].map(({ source, name, reason }) => `${source} ${name} ${reason}`);
}

/** Creates a form's context with these settings. */
export const createContext = (
  settings: Settings,
  definition: FormDefinition = exampleForm,
): FormContext => ({
  definition,
  settings,
  decimalSeparator: '.',
  initialOptionalValues: {},
});
