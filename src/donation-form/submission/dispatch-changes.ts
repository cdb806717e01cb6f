import type { CSSResult } from 'lit';
import { isDivided } from '../state/split.ts';
import type { LiveForm } from '../form/form-controller.ts';
import {
  DonationFormChangeEvent,
  DonationFormDetailsEvent,
  DonationFormReadyEvent,
  type ShownGift,
} from '../events/submission-events.ts';

/** The forms whose donors have begun to enter who they are. */
const begun = new WeakSet<LiveForm>();

/**
 * Raises `donation-form-change` where the gift is another one than was told last,
 * `donation-form-ready` where it is the first, and `donation-form-details` where the donor goes on
 * to those.
 */
export function tellChange(live: LiveForm): void {
  const { told, element, edits, phase, offer } = live;
  const { isTest } = offer!.definition;
  const gift = shownGift(live);
  live.told = JSON.stringify(gift);
  if (told === undefined && phase.name !== 'loading')
    element.dispatchEvent(new DonationFormReadyEvent(gift, isTest));
  if (told !== undefined && told !== live.told)
    element.dispatchEvent(new DonationFormChangeEvent(gift, isTest));
  if (begun.has(live) || !Object.values(edits.donor ?? {}).some(Boolean)) return;
  begun.add(live);
  element.dispatchEvent(new DonationFormDetailsEvent(gift, isTest));
}

export function shownGift({ state, sums, offer }: LiveForm): ShownGift {
  const { code: currency, decimals } = offer!.settings.currency;
  return {
    ...sums,
    currency,
    decimals,
    frequency: state.frequency,
    ...(!isDivided(state, offer!) && { projectId: state.projectId }),
  };
}

/**
 * Shows where every setting came from, where somebody wants to see it.
 * @param adopt takes the panel's styles.
 */
export async function showSettings(
  live: LiveForm,
  adopt: (styles: CSSResult) => void,
): Promise<void> {
  const { element, source, offer } = live;
  if (!element.debug && !new URLSearchParams(source!.page.search).has('donation-form-debug')) {
    if (live.debugPanel) await live.show({ debugPanel: undefined });
    return;
  }
  const [{ explainForm }, { debugPanel, debugStyles }] = await Promise.all([
    import('../debug/explain-form.ts'),
    import('../debug/debug-panel.ts'),
  ]);
  adopt(debugStyles);
  await live.show({ debugPanel: debugPanel(explainForm(source!, offer!)) });
}
