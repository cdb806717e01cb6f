import type { CSSResult } from 'lit';
import { isDivided } from '../form/split.ts';
import type { LiveForm } from './live-form.ts';
import { DonationFormChangeEvent, type ShownGift } from './sending-events.ts';

/** Raises `donation-form-change` where the gift is another one than was told last. */
export function tellChange(live: LiveForm): void {
  const { state, sums, offer, told, element } = live;
  const gift: ShownGift = { ...sums, currency: offer!.settings.currency.code, frequency: state.frequency, ...(!isDivided(state, offer!) && { projectId: state.projectId }) };
  live.told = JSON.stringify(gift);
  if (told !== undefined && told !== live.told) element.dispatchEvent(new DonationFormChangeEvent(gift));
}

/** Shows where every setting came from, where somebody wants to see it. @param adopt takes the panel's styles. */
export async function showSettings(live: LiveForm, adopt: (styles: CSSResult) => void): Promise<void> {
  const { element, source, offer } = live;
  if (!element.debug && !new URLSearchParams(source!.page.search).has('donation-form-debug')) {
    if (live.debugPanel) await live.show({ debugPanel: undefined });
    return;
  }
  const [{ explainForm }, { debugPanel, debugStyles }] = await Promise.all([import('./explaining.ts'), import('./sections/debug-panel.ts')]);
  adopt(debugStyles);
  await live.show({ debugPanel: debugPanel(explainForm(source!, offer!)) });
}
