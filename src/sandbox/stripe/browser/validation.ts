import type { Messages } from './translations.ts';

export type FieldName = 'number' | 'expiry' | 'cvc' | 'account' | 'iban';

/** A validation error. `message` is the name of a translated text. */
export interface FieldProblem {
  readonly code: string;
  readonly message: keyof Messages;
}

/** Fields of the Payment Element, by payment method type. All other types have no fields. */
export const FIELDS: Readonly<Record<string, readonly FieldName[]>> = {
  card: ['number', 'expiry', 'cvc'],
  us_bank_account: ['account'],
  bacs_debit: ['account'],
  au_becs_debit: ['account'],
  sepa_debit: ['iban'],
};

/**
 * Removes spaces from an IBAN and converts it to uppercase. In all other fields, removes every
 * character except digits.
 */
export function normalizeField(name: FieldName, text: string): string {
  return name === 'iban' ? text.replace(/\s/g, '').toUpperCase() : text.replace(/\D/g, '');
}

/** Returns the validation error of a field, or `undefined` if the value is valid. */
export function validateField(name: FieldName, text: string): FieldProblem | undefined {
  const value = normalizeField(name, text);
  if (name === 'number') {
    if (value.length < 12) return { code: 'incomplete_number', message: 'invalidNumber' };
    return passesLuhn(value) ? undefined : { code: 'invalid_number', message: 'invalidNumber' };
  }
  if (name === 'cvc')
    return /^\d{3,4}$/.test(value) ? undefined : { code: 'incomplete_cvc', message: 'invalidCvc' };
  if (name === 'account')
    return /^\d{8,17}$/.test(value)
      ? undefined
      : { code: 'incomplete_account_number', message: 'invalidAccount' };
  if (name === 'iban')
    return /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(value)
      ? undefined
      : { code: 'incomplete_iban', message: 'invalidIban' };
  const [month, year] = [Number(value.slice(0, 2)), Number(value.slice(-2))];
  if (!/^\d{4}$|^\d{6}$/.test(value) || month < 1 || month > 12)
    return { code: 'incomplete_expiry', message: 'invalidExpiry' };
  return new Date(2000 + year, month) <= new Date()
    ? { code: 'invalid_expiry_year_past', message: 'cardExpired' }
    : undefined;
}

function passesLuhn(digits: string): boolean {
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
}
