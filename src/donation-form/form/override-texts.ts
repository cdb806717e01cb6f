import { en, type Translation } from '@donation-form/core/i18n';

/** Applies custom texts, keyed by path, such as `donor` or `fields.firstName`. */
export function overrideTexts(
  translation = en,
  overrides: Readonly<Record<string, string>>,
): Translation {
  return Object.fromEntries(
    Object.entries(translation).map(([name, table]) => [name, overrideTextTable(table, overrides)]),
  ) as Translation;
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
