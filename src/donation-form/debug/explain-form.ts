import type { FormContext } from '../state/form-state.ts';
import {
  explain,
  findUnrecognizedParameters,
  findUnrecognizedSettings,
  type Explanation,
  mergeHiddenSettings,
  mergeSettings,
} from '@donation-form/core/settings';
import type { FormLoader } from '../form/form-loader.ts';

/** Explains where the current settings of a form come from. */
export function explainForm(loader: FormLoader, { definition }: FormContext): Explanation {
  const { search, settings, element } = loader.pageContext;
  const candidates = loader.readSettingCandidates();
  return explain(
    [
      mergeSettings(definition, candidates).resolver,
      mergeHiddenSettings(definition, candidates).resolver,
    ],
    [
      ...findUnrecognizedParameters(search),
      ...findUnrecognizedSettings(settings, 'global'),
      ...findUnrecognizedSettings(element.settings, 'element'),
    ],
  );
}
