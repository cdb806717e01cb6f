import type { CurrencyOffer, FormDefinition } from '../schemas/form-definition.ts';
import { formatMoney } from '../money/money.ts';
import type { IgnoreReason } from './ignore-reason.ts';
import type { IgnoredValue } from './setting-source.ts';

/** For people who create links. docs/campaigns/why-did-my-link-not-work.md has the same. */
export const REASON_LABELS: Readonly<Record<IgnoreReason, string>> = {
  empty: 'the value is empty',
  'merge-tag': 'the email tool did not replace this merge tag',
  invalid: 'the value is invalid',
  'too-long': 'the value is too long',
  'out-of-range': 'the value is below the minimum or above the maximum',
  'not-offered': 'this form does not offer this value',
  repeated: 'only the first value applies',
  overridden: 'another value overrides this value',
};

/** Explains why the form ignores a value and, if the form limits the values, which it accepts. */
export function explainIgnoredValue(
  { setting, reason }: Pick<IgnoredValue, 'setting' | 'reason'>,
  form: FormDefinition,
  currency: CurrencyOffer,
): string {
  const advice = getAdvice(setting, reason, form, currency);
  return `${REASON_LABELS[reason]}${advice === undefined ? '' : `; ${advice}`}`;
}

function getAdvice(
  setting: IgnoredValue['setting'],
  reason: IgnoreReason,
  form: FormDefinition,
  currency: CurrencyOffer,
): string | undefined {
  if (reason === 'not-offered' || reason === 'invalid') {
    const offered = listOfferedValues(setting, form);
    const subject = reason === 'not-offered' ? 'it' : 'this form';
    if (offered.length > 0) return `${subject} offers ${offered.join(', ')}`;
  }
  if (setting !== 'amount' && setting !== 'giftArray') return undefined;
  if (reason === 'out-of-range') return `enter an amount from ${formatRange(currency)}`;
  if (reason !== 'invalid') return undefined;
  return currency.decimals === 0
    ? 'enter digits only, such as 4000'
    : 'enter digits with at most one decimal point, such as 40 or 40.50';
}

function formatRange({ code, decimals, minimum, maximum }: CurrencyOffer): string {
  return `${formatMoney(minimum, code, decimals)} to ${formatMoney(maximum, code, decimals)}`;
}

function listOfferedValues(
  setting: IgnoredValue['setting'],
  { projects, frequencies, currencies }: FormDefinition,
): readonly string[] {
  if (setting === 'projectOverride' || setting === 'projectPreselect')
    return projects.map(({ code, id }) => code ?? id);
  if (setting === 'frequency') return frequencies;
  return setting === 'currency' ? currencies.map(({ code }) => code) : [];
}
