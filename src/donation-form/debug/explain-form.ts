import type { FormContext } from '@donation-form/core/form-state';
import {
  explainSettings,
  type Explanation,
  findUnrecognizedParameters,
  findUnrecognizedSettings,
  resolveSettings,
  type UnrecognizedName,
} from '@donation-form/core/settings';
import type { FormSession } from '../form/form-session.ts';

/** Reports `window.ServiceDonorsForms` if reading it throws an error. */
function findUnreadableGlobal(key = 'settings'): UnrecognizedName[] {
  try {
    void (window.ServiceDonorsForms as Record<string, unknown> | undefined)?.[key];
    return [];
  } catch {
    return [{ source: 'global', name: key, reason: 'unreadable' }];
  }
}

export function explainForm(session: FormSession, { definition }: FormContext): Explanation {
  const { search, settings, element } = session.pageContext;
  const candidates = session.pageContext.readSettings(definition);
  return explainSettings(resolveSettings(definition, candidates).resolver, [
    ...findUnrecognizedParameters(search, definition.urlAliases),
    ...findUnreadableGlobal(element.settingsKey),
    ...findUnrecognizedSettings(settings, 'global'),
    ...findUnrecognizedSettings(element.settings, 'element'),
  ]);
}
