import type { CustomFieldOffer } from '@donation-form/core/schemas';
import {
  CustomFieldDataFormatter,
  CustomFieldDataType,
  readCustomValue,
  cleanLine,
  cleanText,
} from '@donation-form/core/donor';
import { plainNumber } from '@donation-form/core/money';

/** A custom field that the form shows. */
export type ShownField = CustomFieldOffer & { readonly label: string };

export function isShown(field: CustomFieldOffer): field is ShownField {
  return field.label !== undefined;
}

export type CustomProblem =
  'missing' | 'not-a-number' | 'not-a-whole-number' | 'not-a-date' | 'not-a-link';

const PROBLEMS: Readonly<Partial<Record<CustomFieldDataType, CustomProblem>>> = {
  [CustomFieldDataType.Decimal]: 'not-a-number',
  [CustomFieldDataType.Integer]: 'not-a-whole-number',
  [CustomFieldDataType.Date]: 'not-a-date',
  [CustomFieldDataType.Link]: 'not-a-link',
};

/**
 * What a donor entered in a custom field, as it is sent.
 * @returns the value, empty where there is none, or what is wrong with it.
 */
export function readShownField(
  { type, formatter, options, required }: ShownField,
  values: readonly string[],
  decimalMark: string,
): { readonly value: string } | { readonly problem: CustomProblem } {
  const written =
    type === CustomFieldDataType.Paragraph
      ? cleanText(values[0] ?? '')
      : cleanLine(values.join(','));
  const isBox = type === CustomFieldDataType.Boolean && formatter === CustomFieldDataFormatter.None;
  if (written === '') return required ? { problem: 'missing' } : { value: isBox ? 'false' : '' };
  const value = readCustomValue(
    asSent(written, type, decimalMark) ?? '',
    type,
    options?.map((option) => option.value),
  );
  return value ? { value } : { problem: PROBLEMS[type] ?? 'missing' };
}

/**
 * Numbers in the donor's own digits and marks become plain ones, and an address without https://
 * gets it.
 */
function asSent(
  written: string,
  type: CustomFieldDataType,
  decimalMark: string,
): string | undefined {
  if (type === CustomFieldDataType.Link)
    return /^https?:\/\//i.test(written) ? written : `https://${written}`;
  if (type !== CustomFieldDataType.Decimal && type !== CustomFieldDataType.Integer) return written;
  const [, sign = '', digits = ''] = /^([-−]?)(.*)$/.exec(written) ?? [];
  const number = plainNumber(digits, decimalMark);
  return number && `${sign && '-'}${number}`;
}
