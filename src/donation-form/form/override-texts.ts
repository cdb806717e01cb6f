import { en, type Translation } from '@donation-form/core/i18n';

/** Applies custom texts, keyed by path, such as `donor` or `fields.firstName`. */
export function overrideTexts(
  translation = en,
  overrides: Readonly<Record<string, string>>,
): Translation {
  return {
    form: overrideTextTable(translation.form, overrides),
    submission: overrideTextTable(translation.submission, overrides),
    optionalFields: overrideTextTable(translation.optionalFields, overrides),
    address: overrideTextTable(translation.address, overrides),
  };
}

function overrideTextTable<Table extends object>(
  table: Table,
  overrides: Readonly<Record<string, string>>,
  prefix = '',
): Table {
  return Object.fromEntries(
    Object.entries(table).map(([name, text]) => [
      name,
      typeof text === 'string'
        ? (overrides[prefix + name] ?? text)
        : overrideTextTable(text as object, overrides, `${prefix}${name}.`),
    ]),
  ) as Table;
}
