import type { CSSResult } from 'lit';
import { isDivided } from '../state/split.ts';
import type { FormController } from '../form/form-controller.ts';
import {
  DonationFormChangeEvent,
  DonationFormDetailsEvent,
  DonationFormReadyEvent,
  type ShownGift,
} from '../events/submission-events.ts';

/** The forms whose donors have begun to enter who they are. */
const begun = new WeakSet<FormController>();

/**
 * Raises `donation-form-change` where the gift is another one than was told last,
 * `donation-form-ready` where it is the first, and `donation-form-details` where the donor goes on
 * to those.
 */
export function dispatchChange(live: FormController): void {
  const { lastDispatched: told, element, edits, phase, context } = live;
  const { isTest } = context!.definition;
  const gift = giftOf(live);
  live.lastDispatched = JSON.stringify(gift);
  if (told === undefined && phase.name !== 'loading')
    element.dispatchEvent(new DonationFormReadyEvent(gift, isTest));
  if (told !== undefined && told !== live.lastDispatched)
    element.dispatchEvent(new DonationFormChangeEvent(gift, isTest));
  if (begun.has(live) || !Object.values(edits.donor ?? {}).some(Boolean)) return;
  begun.add(live);
  element.dispatchEvent(new DonationFormDetailsEvent(gift, isTest));
}

export function giftOf({ state, sums, context }: FormController): ShownGift {
  const { code: currency, decimals } = context!.settings.currency;
  return {
    ...sums,
    currency,
    decimals,
    frequency: state.frequency,
    ...(!isDivided(state, context!) && { projectId: state.projectId }),
  };
}

/**
 * Shows where every setting came from, where somebody wants to see it.
 * @param adopt takes the panel's styles.
 */
export async function updateDebugPanel(
  live: FormController,
  adopt: (styles: CSSResult) => void,
): Promise<void> {
  const { element, loader: source, context } = live;
  if (!element.debug && !new URLSearchParams(source!.page.search).has('donation-form-debug')) {
    if (live.debugPanel) await live.update({ debugPanel: undefined });
    return;
  }
  const [{ explainForm }, { debugPanel, debugStyles }] = await Promise.all([
    import('../debug/explain-form.ts'),
    import('../debug/debug-panel.ts'),
  ]);
  adopt(debugStyles);
  await live.update({ debugPanel: debugPanel(explainForm(source!, context!)) });
}
