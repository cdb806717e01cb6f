import type { FormStore } from '../form/form-store.ts';
import {
  DonationFormChangeEvent,
  DonationFormDonorStartEvent,
  DonationFormReadyEvent,
} from '../events/submission-events.ts';
import { getDisplayedGift } from './displayed-gift.ts';
import { stringifyJson } from '../page/stringify-json.ts';

const startedForms = new WeakSet<FormStore>();

/** Dispatches what has happened to the donation since the last call, unless the form is loading. */
export function dispatchGiftEvents(form: FormStore): void {
  const { lastDispatched: previous, element, edits, phase, context } = form;
  if (phase.name === 'loading') return;
  const { isTest } = context!.definition;
  const gift = getDisplayedGift(form);
  form.lastDispatched = stringifyJson(gift);
  if (previous === undefined) element.dispatchEvent(new DonationFormReadyEvent(gift, isTest));
  if (previous !== undefined && previous !== form.lastDispatched)
    element.dispatchEvent(new DonationFormChangeEvent(gift, isTest));
  if (startedForms.has(form) || !Object.values(edits.donor ?? {}).some(Boolean)) return;
  startedForms.add(form);
  element.dispatchEvent(new DonationFormDonorStartEvent(gift, isTest));
}
