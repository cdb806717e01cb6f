import { MAX_TEXT_LENGTH } from './donor.ts';

/** Data types of custom fields (Fundraising Platform API, "Enumerations", CustomFieldDataType). */
export const CustomFieldDataType = {
  Boolean: 0,
  Date: 1,
  Decimal: 2,
  Text: 3,
  List: 4,
  Link: 5,
  Integer: 6,
  Paragraph: 7,
  Multiselect: 8,
} as const;
export type CustomFieldDataType = (typeof CustomFieldDataType)[keyof typeof CustomFieldDataType];

/** Display formats (Fundraising Platform API, "Enumerations", CustomFieldDataFormatter). */
export const CustomFieldDataFormatter = {
  None: 0,
  Numeric: 1,
  NumericWithFractional: 2,
  Currency: 3,
  CurrencyWithDecimals: 4,
  Dropdown: 5,
  ListRadio: 6,
  ListCheckbox: 7,
  BooleanButton: 8,
  BooleanRadio: 9,
} as const;
export type CustomFieldDataFormatter =
  (typeof CustomFieldDataFormatter)[keyof typeof CustomFieldDataFormatter];

export const MAX_CUSTOM_VALUE_LENGTH = MAX_TEXT_LENGTH;
export const MAX_CUSTOM_FIELDS = 50;

const booleans: Readonly<Record<string, string>> = {
  true: 'true',
  1: 'true',
  yes: 'true',
  false: 'false',
  0: 'false',
  no: 'false',
};

/** Parses a custom field (rule 48). Only a paragraph can have several lines. */
export function parseCustomValue(
  value: string,
  type: CustomFieldDataType,
  options: readonly string[] = [],
): string | undefined {
  if (value.length > MAX_CUSTOM_VALUE_LENGTH) return undefined;
  const matchValue = (pattern: RegExp): string | undefined =>
    pattern.test(value) ? value : undefined;
  const findOption = (text: string): string | undefined =>
    options.find((option) => option.toLowerCase() === text.trim().toLowerCase());
  switch (type) {
    case CustomFieldDataType.Boolean:
      return Object.hasOwn(booleans, value.toLowerCase())
        ? booleans[value.toLowerCase()]
        : undefined;
    case CustomFieldDataType.Date:
      return isCalendarDate(value) ? value : undefined;
    case CustomFieldDataType.Decimal:
      return matchValue(/^-?\d{1,15}(\.\d{1,10})?$/);
    case CustomFieldDataType.Integer:
      return matchValue(/^-?\d{1,15}$/);
    case CustomFieldDataType.Link:
      return matchValue(/^https?:\/\/[^\s/]+\.[^\s]+$/i);
    case CustomFieldDataType.List:
      return findOption(value);
    case CustomFieldDataType.Multiselect: {
      const chosen = value.split(',').map(findOption);
      return chosen.includes(undefined) ? undefined : [...new Set(chosen)].join(',');
    }
    default:
      return value;
  }
}

function isCalendarDate(text: string): boolean {
  const date = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return date !== undefined && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
