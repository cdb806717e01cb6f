import type { FormValues } from '@donation-form/core/form-state';
import { getSuggestedAmounts } from '@donation-form/core/settings';
import { toMajorUnits } from '@donation-form/core/money';
import type { Donation } from '../../database/schema.ts';
import type { PageForm } from './page-form.ts';

/** Omits consents, because donors must give them again. */
export function restoreFormValues(
  { payload }: Donation,
  { context: { settings, decimalSeparator }, state }: PageForm,
): FormValues {
  const { gift, donor, customFields = [], payment, decimals } = payload;
  const { organization, ...donorFields } = donor;
  const { giftArray } = getSuggestedAmounts(settings, state.frequency);
  const index = giftArray.findIndex(({ value }) => value === gift.amount);
  const typedAmount = toMajorUnits(gift.amount, decimals)
    .replace(/\.0+$/, '')
    .replace('.', decimalSeparator);
  const entries: [string, string | undefined][] = [
    ['amount', index < 0 ? 'custom' : String(index)],
    ['customAmount', index < 0 ? typedAmount : ''],
    ['project', gift.projects[0]?.id],
    ['payment.provider', payment.provider],
    ['coverCosts', gift.coverCosts ? 'true' : undefined],
    ['comment', gift.comment],
    ['gift.anonymous', gift.anonymous ? 'true' : undefined],
    ['tribute.kind', gift.tribute?.kind],
    ['tribute.name', gift.tribute?.name],
    ['tribute.notify', gift.tribute?.notifyEmail],
    ['tribute.message', gift.tribute?.message],
    ['organization.enabled', organization === undefined ? undefined : 'true'],
    ['organization.name', organization],
    ...Object.entries(donorFields),
    ...customFields.map(({ id, value }): [string, string] => [`custom.${id}`, value]),
  ];
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value === undefined ? [] : [value]]),
  );
}
