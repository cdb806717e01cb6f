import type { FormContext } from '../state/form-state.ts';
import {
  explain,
  unreadInAddress,
  unreadInSettings,
  type Explanation,
  mergeHidden,
  merge,
} from '@donation-form/core/settings';
import type { FormLoader } from '../form/form-loader.ts';

/** Where the settings of a form come from, as they are now. */
export function explainForm(source: FormLoader, { definition }: FormContext): Explanation {
  const { search, settings, component } = source.page;
  const candidates = source.candidates();
  return explain(
    [merge(definition, candidates).decisions, mergeHidden(definition, candidates).decisions],
    [
      ...unreadInAddress(search),
      ...unreadInSettings(settings, 'global'),
      ...unreadInSettings(component.settings, 'element'),
    ],
  );
}
