import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import type { Candidate } from '../../src/core/settings/setting-source.ts';
import { readComponent, type ComponentSettings } from '../../src/core/settings/from-attributes.ts';
import { mergeHidden, type HiddenSettings } from '../../src/core/settings/hidden-fields.ts';
import { readSettings } from '../../src/core/settings/from-page-settings.ts';
import { merge, type Settings } from '../../src/core/settings/merge-settings.ts';
import type { FormContext } from '../../src/donation-form/state/form-state.ts';
import { readUrl } from '../../src/core/settings/from-url.ts';
import { exampleForm } from '../example-form.ts';

/** What is found in an address, in the page's settings and on the element, the strongest first. */
export const found = (
  search: string,
  settings: unknown = {},
  component: ComponentSettings = {},
): Candidate[] => [
  ...readUrl(search),
  ...readSettings(settings, 'global'),
  ...readComponent(component),
];

/** What a form makes of them. */
export function from(
  search: string,
  settings: unknown = {},
  component: ComponentSettings = {},
  form: FormDefinition = exampleForm,
): Settings & HiddenSettings {
  const candidates = found(search, settings, component);
  return { ...merge(form, candidates).settings, ...mergeHidden(form, candidates).settings };
}

/** What a form leaves out of them, such as `url amount invalid`. */
export function ignored(
  search: string,
  settings: unknown = {},
  component: ComponentSettings = {},
  form: FormDefinition = exampleForm,
): string[] {
  const candidates = found(search, settings, component);
  return [
    ...merge(form, candidates).decisions.ignored,
    ...mergeHidden(form, candidates).decisions.ignored,
  ].map(({ layer, name, reason }) => `${layer} ${name} ${reason}`);
}

/** What a form offers under these settings. */
export const offered = (
  settings: Settings,
  definition: FormDefinition = exampleForm,
): FormContext => ({
  definition,
  settings,
  decimalMark: '.',
  more: {},
});
