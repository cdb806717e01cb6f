import type { CurrencyOffer, FormDefinition } from '@donation-form/core/schemas';
import type { IgnoreReason, Ignored } from '@donation-form/core/settings';
import { formatMoney } from '@donation-form/core/money';
import { en } from '@donation-form/core/i18n';

const REASONS: Readonly<Record<IgnoreReason, string>> = {
  empty: 'it is empty',
  'merge-tag': 'a mailer has to fill it in',
  invalid: 'it cannot be read',
  'too-long': 'it is too long',
  'out-of-range': 'it is below the form’s minimum or above its maximum',
  'not-offered': 'this form does not offer it',
  repeated: 'it stands there twice, and the first one counts',
  beaten: 'something stronger in the link says otherwise',
};

/**
 * Why a value of a link does not count, and what would.
 * @param currency the one in which amounts are read.
 */
export function whyIgnored(
  { setting, reason }: Pick<Ignored, 'setting' | 'reason'>,
  form: FormDefinition,
  { code, decimals, minimum, maximum }: CurrencyOffer,
): string {
  const isAmount = setting === 'amount' || setting === 'giftArray';
  if (isAmount && reason === 'invalid')
    return decimals === 0
      ? 'write it with digits only, such as 4000'
      : 'write it with digits and one dot at most, such as 40 or 40.50';
  if (isAmount && reason === 'out-of-range')
    return `this form takes ${formatMoney(minimum, code, decimals)} to ${formatMoney(maximum, code, decimals)}`;
  const offered = reason === 'not-offered' ? offeredFor(setting, form) : [];
  return offered.length > 0 ? `this form offers ${offered.join(', ')}` : REASONS[reason];
}

/** The name of an ignored value, and in a list which entry it is: `array-amounts, entry 3`. */
export function placeOf({ name }: Pick<Ignored, 'name'>): string {
  return name.replace(/\[(\d+)\]/, (_all, index: string) => `, entry ${Number(index) + 1}`);
}

function offeredFor(
  setting: Ignored['setting'],
  { projects, frequencies, currencies }: FormDefinition,
): readonly string[] {
  if (setting === 'projectOverride' || setting === 'projectPreselect')
    return projects.map(({ code, id }) => code ?? id);
  if (setting === 'frequency') return frequencies;
  return setting === 'currency' ? currencies.map(({ code }) => code) : [];
}

/** The title of a field. */
export const LABELS = {
  firstName: en.fields.firstName,
  lastName: en.fields.lastName,
  email: en.fields.email,
  comment: en.comment,
  segment: 'Segment',
  utmSource: 'Source',
  utmMedium: 'Medium',
  utmCampaign: 'Campaign',
} as const;

/** A number with its noun. */
export const count = (number: number, one: string, many: string): string =>
  `${number} ${number === 1 ? one : many}`;
