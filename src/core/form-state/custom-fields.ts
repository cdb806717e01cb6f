import {
  cleanLine,
  cleanText,
  CustomFieldDataFormatter,
  CustomFieldDataType,
  parseCustomValue,
} from '../donor/index.ts';
import { normalizeNumber } from '../money/index.ts';
import type { CustomFieldOffer } from '../schemas/index.ts';

export type VisibleCustomField = CustomFieldOffer & { readonly label: string };

export function isVisibleCustomField(field: CustomFieldOffer): field is VisibleCustomField {
  return field.label !== undefined;
}

export type CustomFieldErrorCode =
  'missing' | 'not-a-number' | 'not-a-whole-number' | 'not-a-date' | 'not-a-link';

const ERROR_CODES: Readonly<Partial<Record<CustomFieldDataType, CustomFieldErrorCode>>> = {
  [CustomFieldDataType.Decimal]: 'not-a-number',
  [CustomFieldDataType.Integer]: 'not-a-whole-number',
  [CustomFieldDataType.Date]: 'not-a-date',
  [CustomFieldDataType.Link]: 'not-a-link',
};

export function parseCustomField(
  { type, formatter, options, required }: VisibleCustomField,
  values: readonly string[],
  decimalSeparator: string,
): { readonly value: string } | { readonly error: CustomFieldErrorCode } {
  const input =
    type === CustomFieldDataType.Paragraph
      ? cleanText(values[0] ?? '')
      : cleanLine(values.join(','));
  const isCheckbox =
    type === CustomFieldDataType.Boolean && formatter === CustomFieldDataFormatter.None;
  if (input === '') return required ? { error: 'missing' } : { value: isCheckbox ? 'false' : '' };
  const value = parseCustomValue(
    normalizeCustomFieldInput(input, type, decimalSeparator) ?? '',
    type,
    options?.map((option) => option.value),
  );
  return value ? { value } : { error: ERROR_CODES[type] ?? 'missing' };
}

/** Returns `undefined` for an invalid number, and adds https:// to a link without a scheme. */
function normalizeCustomFieldInput(
  input: string,
  type: CustomFieldDataType,
  decimalSeparator: string,
): string | undefined {
  if (type === CustomFieldDataType.Link)
    return /^https?:\/\//i.test(input) ? input : `https://${input}`;
  if (type !== CustomFieldDataType.Decimal && type !== CustomFieldDataType.Integer) return input;
  const [, sign = '', digits = ''] = /^([-−]?)(.*)$/.exec(input) ?? [];
  const number = normalizeNumber(digits, decimalSeparator);
  return number && `${sign && '-'}${number}`;
}
