import type { Offer } from '../form/state.ts';
import {
  explain,
  unreadInAddress,
  unreadInSettings,
  type Explanation,
} from '../settings/explain.ts';
import { mergeHidden } from '../settings/hidden.ts';
import { merge } from '../settings/settings.ts';
import type { OfferSource } from './offer-source.ts';

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
