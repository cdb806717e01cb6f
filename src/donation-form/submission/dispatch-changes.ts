import type { CSSResult } from 'lit';
import { isSplit } from '../state/split.ts';
import type { FormController } from '../form/form-controller.ts';
import {
  DonationFormChangeEvent,
  DonationFormDonorStartEvent,
  DonationFormReadyEvent,
  type DisplayedGift,
} from '../events/submission-events.ts';

/** Forms that have dispatched `donation-form-donor-start`. */
const startedForms = new WeakSet<FormController>();

/**
 * Dispatches `donation-form-ready` for the first gift, `donation-form-change` if the gift has
 * changed, and `donation-form-donor-start` once the donor has entered personal details.
 */
export function dispatchGiftEvents(form: FormController): void {
  const { lastDispatched: previous, element, edits, phase, context } = form;
  const { isTest } = context!.definition;
  const gift = getDisplayedGift(form);
  form.lastDispatched = JSON.stringify(gift);
  if (previous === undefined && phase.name !== 'loading')
    element.dispatchEvent(new DonationFormReadyEvent(gift, isTest));
  if (previous !== undefined && previous !== form.lastDispatched)
    element.dispatchEvent(new DonationFormChangeEvent(gift, isTest));
  if (startedForms.has(form) || !Object.values(edits.donor ?? {}).some(Boolean)) return;
  startedForms.add(form);
  element.dispatchEvent(new DonationFormDonorStartEvent(gift, isTest));
}

export function getDisplayedGift({ state, totals, context }: FormController): DisplayedGift {
  const { code: currency, decimals } = context!.settings.currency;
  return {
    ...totals,
    currency,
    decimals,
    frequency: state.frequency,
    ...(!isSplit(state, context!) && { projectId: state.projectId }),
  };
}

/** Shows or hides the debug panel, depending on the attribute and the URL parameter. */
export async function updateDebugPanel(
  form: FormController,
  adoptStyles: (styles: CSSResult) => void,
): Promise<void> {
  const { element, loader, context } = form;
  if (
    !element.debug &&
    !new URLSearchParams(loader!.pageContext.search).has('donation-form-debug')
  ) {
    if (form.debugPanel) await form.update({ debugPanel: undefined });
    return;
  }
  const [{ explainForm }, { renderDebugPanel, debugStyles }] = await Promise.all([
    import('../debug/explain-form.ts'),
    import('../debug/debug-panel.ts'),
  ]);
  adoptStyles(debugStyles);
  await form.update({ debugPanel: renderDebugPanel(explainForm(loader!, context!)) });
}
