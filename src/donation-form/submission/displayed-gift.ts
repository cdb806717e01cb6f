import {
  type DisplayedGift,
  DonationFormChangeEvent,
  DonationFormDonorStartEvent,
  DonationFormReadyEvent,
} from '../events/submission-events.ts';
import type { FormStore } from '../form/form-store.ts';
import { isDonationSplit } from '@donation-form/core/form-state';
import { stringifyJson } from '../page/stringify-json.ts';

export function getDisplayedGift({ state, totals, context }: FormStore): DisplayedGift {
  const { code: currency, decimals } = context!.settings.currency;
  return {
    ...totals,
    currency,
    decimals,
    frequency: state.frequency,
    ...(!isDonationSplit(state, context!) && { projectId: state.projectId }),
  };
}

/** Excludes hidden settings. */
export function serializeDisplayedDonation({ context, state, totals, session }: FormStore): string {
  const { settings, definition } = context!;
  const { frequency, coverCosts, projectId, donor, comment, optionalFields } = state;
  const splitProjects =
    totals &&
    session!.optionalSections?.toDonationFields(state, context!, totals.amount).gift.projects;
  return stringifyJson([
    settings.currency.code,
    settings.isProjectFixed,
    frequency,
    coverCosts,
    projectId,
    splitProjects,
    totals,
    definition.donorFields.map(({ name }) => donor[name] ?? ''),
    comment,
    optionalFields,
  ]);
}

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
