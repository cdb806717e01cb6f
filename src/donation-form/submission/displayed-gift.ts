import { isDonationSplit } from '@donation-form/core/form-state';
import type { DisplayedGift } from '../events/submission-events.ts';
import type { FormStore } from '../form/form-store.ts';
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
