/** What a custom field holds: Fundraising Platform API, 'Enumerations', CustomFieldDataType. */
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

/**
 * How a custom field is shown: Fundraising Platform API, 'Enumerations', CustomFieldDataFormatter.
 */
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

/** The formatters that fit a data type, besides None; which fit is not in the specification. */
const FITTING: Readonly<Partial<Record<CustomFieldDataType, readonly CustomFieldDataFormatter[]>>> =
  {
    [CustomFieldDataType.Boolean]: [
      CustomFieldDataFormatter.BooleanButton,
      CustomFieldDataFormatter.BooleanRadio,
    ],
    [CustomFieldDataType.Integer]: [
      CustomFieldDataFormatter.Numeric,
      CustomFieldDataFormatter.Currency,
    ],
    [CustomFieldDataType.Decimal]: [
      CustomFieldDataFormatter.Numeric,
      CustomFieldDataFormatter.NumericWithFractional,
      CustomFieldDataFormatter.Currency,
      CustomFieldDataFormatter.CurrencyWithDecimals,
    ],
    [CustomFieldDataType.List]: [
      CustomFieldDataFormatter.Dropdown,
      CustomFieldDataFormatter.ListRadio,
    ],
    [CustomFieldDataType.Multiselect]: [CustomFieldDataFormatter.ListCheckbox],
  };

export function fits(type: CustomFieldDataType, formatter: CustomFieldDataFormatter): boolean {
  return formatter === CustomFieldDataFormatter.None || (FITTING[type] ?? []).includes(formatter);
}

export const CUSTOM_VALUE_LENGTH = 1_000;
/** How many custom fields a gift carries at most. */
export const MOST_CUSTOM_FIELDS = 50;

const booleans: Readonly<Record<string, string>> = {
  true: 'true',
  1: 'true',
  yes: 'true',
  false: 'false',
  0: 'false',
  no: 'false',
};

/**
 * Reads the value of a custom field (rule 48).
 * @param value on one line, or on several for a paragraph; cleaned.
 * @param options what a list or a multiselect offers.
 * @returns the value as it is sent, or `undefined` where it does not fit the type: true or false,
 *   yyyy-mm-dd, a plain number, an http address, an option, options joined by commas.
 */
export function readCustomValue(
  value: string,
  type: CustomFieldDataType,
  options: readonly string[] = [],
): string | undefined {
  if (value.length > CUSTOM_VALUE_LENGTH) return undefined;
  const matching = (form: RegExp): string | undefined => (form.test(value) ? value : undefined);
  const option = (text: string): string | undefined =>
    options.find((known) => known.toLowerCase() === text.trim().toLowerCase());
  switch (type) {
    case CustomFieldDataType.Boolean:
      return Object.hasOwn(booleans, value.toLowerCase())
        ? booleans[value.toLowerCase()]
        : undefined;
    case CustomFieldDataType.Date:
      return isDate(value) ? value : undefined;
    case CustomFieldDataType.Decimal:
      return matching(/^-?\d{1,15}(\.\d{1,10})?$/);
    case CustomFieldDataType.Integer:
      return matching(/^-?\d{1,15}$/);
    case CustomFieldDataType.Link:
      return matching(/^https?:\/\/[^\s/]+\.[^\s]+$/i);
    case CustomFieldDataType.List:
      return option(value);
    case CustomFieldDataType.Multiselect: {
      const chosen = value.split(',').map(option);
      return chosen.every((one) => one !== undefined) ? [...new Set(chosen)].join(',') : undefined;
    }
    default:
      return value;
  }
}

function isDate(text: string): boolean {
  const date = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return date !== undefined && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
