import type { CurrencyOffer, FormDefinition } from '@donation-form/core/schemas';
import type { IgnoreReason, IgnoredValue } from '@donation-form/core/settings';
import { formatMoney } from '@donation-form/core/money';
import { enForm } from '@donation-form/core/i18n';

const REASON_LABELS: Readonly<Record<IgnoreReason, string>> = {
  empty: 'the value is empty',
  'merge-tag': 'your mailing tool must replace the merge tag with a value',
  invalid: 'the value is not valid',
  'too-long': 'the value is too long',
  'out-of-range': 'the value is below the form’s minimum or above its maximum',
  'not-offered': 'this form does not offer the value',
  repeated: 'the parameter appears more than once, so the form uses the first value',
  overridden: 'another parameter in the link takes precedence',
};

/**
 * Explains why the form ignores a value and which values the form accepts.
 * @param currency currency of the link's amounts.
 */
export function explainIgnoredValue(
  { setting, reason }: Pick<IgnoredValue, 'setting' | 'reason'>,
  form: FormDefinition,
  currency: CurrencyOffer,
): string {
  const isAmount = setting === 'amount' || setting === 'giftArray';
  if (isAmount && reason === 'invalid')
    return currency.decimals === 0
      ? 'enter digits only, such as 4000'
      : 'enter digits with at most one decimal point, such as 40 or 40.50';
  if (isAmount && reason === 'out-of-range')
    return `this form accepts amounts from ${formatRange(currency)}`;
  const allowed = reason === 'not-offered' ? listAllowedValues(setting, form) : [];
  return allowed.length > 0 ? `this form offers ${allowed.join(', ')}` : REASON_LABELS[reason];
}

function formatRange({ code, decimals, minimum, maximum }: CurrencyOffer): string {
  return `${formatMoney(minimum, code, decimals)} to ${formatMoney(maximum, code, decimals)}`;
}

/**
 * Formats the name of a link parameter. For a list entry, adds its position, such as
 * `array-amounts, entry 3`.
 */
export function formatValueName({ name }: Pick<IgnoredValue, 'name'>): string {
  return name.replace(/\[(\d+)\]/, (_all, index: string) => `, entry ${Number(index) + 1}`);
}

function listAllowedValues(
  setting: IgnoredValue['setting'],
  { projects, frequencies, currencies }: FormDefinition,
): readonly string[] {
  if (setting === 'projectOverride' || setting === 'projectPreselect')
    return projects.map(({ code, id }) => code ?? id);
  if (setting === 'frequency') return frequencies;
  return setting === 'currency' ? currencies.map(({ code }) => code) : [];
}

export const FIELD_LABELS = {
  firstName: enForm.fields.firstName,
  lastName: enForm.fields.lastName,
  email: enForm.fields.email,
  comment: enForm.comment,
  segment: 'Segment',
  utmSource: 'Source',
  utmMedium: 'Medium',
  utmCampaign: 'Campaign',
} as const;

/** Explains that the page in a link cannot show the form, and how to allow that page. */
export function explainForeignSite(link: string): string {
  const { origin } = new URL(link);
  return (
    `The form does not appear on ${origin} yet. Ask the administrator of the donation server to add ` +
    `exactly ${origin} to “origins”, because origins with and without www. are different.`
  );
}
