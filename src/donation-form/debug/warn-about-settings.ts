/** Logs problems with a page's settings. Loaded only if the page has settings. */
import type { SettingSource, UnrecognizedName } from '@donation-form/core/settings';
import type { FormLoader } from '../form/form-loader.ts';
import type { FormContext } from '@donation-form/core/form-state';
import { explainForm } from './explain-form.ts';
import { warnOnce } from './warn-once.ts';

/**
 * Logs misspelled names with the nearest known name, values of the wrong type, getters that throw
 * errors, repeated values, and synonyms, each once per page. Never logs values, because they may be
 * personal data.
 */
export function warnAboutSettings(loader: FormLoader, context: FormContext): void {
  const { settings, unrecognized } = explainForm(loader, context);
  const { settingsKey = 'settings' } = loader.pageContext.element;
  const places: Partial<Record<SettingSource, string>> = {
    global: `window.ServiceDonorsForms.${settingsKey}`,
    element: "the element's settings",
    url: 'the URL',
  };
  for (const name of unrecognized) {
    const isOfThePage = name.source === 'url' && name.suggestion === undefined;
    // `reportIgnoredSettings` has already logged this one.
    const isLogged =
      name.source === 'global' && name.reason === 'wrong-type' && name.name === 'settings';
    if (isOfThePage || isLogged) continue;
    warnOnce(`Ignored ${name.name} in ${places[name.source]}: ${describeUnrecognizedReason(name)}`);
  }
  for (const { applied, ignored } of settings) {
    for (const { source, name, reason } of ignored)
      if (reason === 'repeated' && places[source])
        warnOnce(`Ignored a repeated ${name} in ${places[source]}: the first one applies`);
    if (applied?.note === 'synonym')
      warnOnce(
        `${applied.name} in ${places[applied.source] ?? applied.source} is a synonym; use ` +
          'once, monthly, quarterly, or annually',
      );
  }
}

function describeUnrecognizedReason({ reason, suggestion }: UnrecognizedName): string {
  if (reason === 'unreadable') return 'reading it throws an error';
  if (reason === 'wrong-type') return 'its value has the wrong type';
  return suggestion === undefined ? 'unknown name' : `unknown name; the nearest is ${suggestion}`;
}
