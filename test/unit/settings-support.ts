import type { FormContext } from '../../src/core/form-state/form-state.ts';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import {
  type ElementSettings,
  readElementSettings,
  readSettingsObject,
} from '../../src/core/settings/from-page-settings.ts';
import { readUrlParameters } from '../../src/core/settings/from-url.ts';
import type { FormSettings } from '../../src/core/settings/resolve-form-settings.ts';
import { resolveSettings, type Settings } from '../../src/core/settings/resolve-settings.ts';
import type { SettingCandidate } from '../../src/core/settings/setting-source.ts';
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

/** Merges the settings of all sources. */
export const mergeAllSettings = (
  search: string,
  settings: unknown = {},
  component: ElementSettings = {},
  form: FormDefinition = exampleForm,
): Settings => resolveSettings(form, findCandidates(search, settings, component)).settings;

/** Lists ignored values, such as `url amount invalid`. */
export const listIgnored = (
  search: string,
  settings: unknown = {},
  component: ElementSettings = {},
  form: FormDefinition = exampleForm,
): string[] =>
  resolveSettings(form, findCandidates(search, settings, component)).resolver.ignored.map(
    ({ source, name, reason }) => `${source} ${name} ${reason}`,
  );

/** Creates a form's context with these settings. */
export const createContext = (
  settings: FormSettings,
  definition: FormDefinition = exampleForm,
): FormContext => ({
  definition,
  settings,
  decimalSeparator: '.',
  initialOptionalValues: {},
});
