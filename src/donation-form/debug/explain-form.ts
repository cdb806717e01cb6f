import type { Offer } from '../state/form-state.ts';
import {
  explain,
  unreadInAddress,
  unreadInSettings,
  type Explanation,
} from '../../core/settings/explain.ts';
import { mergeHidden } from '../../core/settings/hidden-fields.ts';
import { merge } from '../../core/settings/merge-settings.ts';
import type { OfferSource } from '../form/form-loader.ts';

/** Where the settings of a form come from, as they are now. */
export function explainForm(source: OfferSource, { definition }: Offer): Explanation {
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
