/** Logs problems with a page's settings. Loaded only if the page has settings. */
import type { FormContext } from '@donation-form/core/form-state';
import { type SettingSource, UNRECOGNIZED_LABELS } from '@donation-form/core/settings';
import type { FormSession } from '../form/form-session.ts';
import { explainForm } from './explain-form.ts';
import { warnOnce } from './warn-once.ts';

/** Never logs values, because they can contain personal data. */
export function warnAboutSettings(session: FormSession, context: FormContext): void {
  const { settings, unrecognized } = explainForm(session, context);
  const { settingsKey = 'settings' } = session.pageContext.element;
  const places: Partial<Record<SettingSource, string>> = {
    global: `window.ServiceDonorsForms.${settingsKey}`,
    element: "the element's settings",
    url: 'the URL',
  };
  for (const name of unrecognized) {
    const isOfThePage = name.source === 'url' && name.suggestion === undefined;
    // `reportIgnoredSettings` has already logged this warning.
    const isLogged =
      name.source === 'global' && name.reason === 'wrong-type' && name.name === 'settings';
    if (isOfThePage || isLogged) continue;
    const hint = name.suggestion && `; the closest name is ${name.suggestion}`;
    const reason = UNRECOGNIZED_LABELS[name.reason] + (hint ?? '');
    warnOnce(`Ignored ${name.name} in ${places[name.source]}: ${reason}`);
  }
  for (const { applied, ignored } of settings) {
    for (const { source, name, reason } of ignored)
      if (reason === 'repeated' && places[source])
        warnOnce(`Ignored a repeated ${name} in ${places[source]}: only the first value applies`);
    if (applied?.note === 'synonym')
      warnOnce(
        `The value of ${applied.name} in ${places[applied.source] ?? applied.source} is a ` +
          'synonym; use once, monthly, quarterly, or annually instead',
      );
  }
}
