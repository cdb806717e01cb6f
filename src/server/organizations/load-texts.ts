import { en, importTranslation, type Language, type Translation } from '@donation-form/core/i18n';
import type { FormDefinition } from '@donation-form/core/schemas';
import type { Organization } from './organization.ts';

/** Finds the form of a donation, or the organization's first one if the form no longer exists. */
export function findForm(
  { forms }: Pick<Organization, 'forms'>,
  id: string,
): Organization['forms'][number] {
  return forms.find(({ en: { definition } }) => definition.id === id) ?? forms[0]!;
}

/** The organization's own texts take precedence. Missing texts default to English. */
export async function loadTexts(
  language: Language,
  { texts: overrides }: FormDefinition,
): Promise<Translation> {
  const translation = language === 'en' ? en : await importTranslation(language);
  return {
    form: mergeTexts(en.form, translation.form, overrides),
    submission: mergeTexts(en.submission, translation.submission, overrides),
    optionalFields: mergeTexts(en.optionalFields, translation.optionalFields, overrides),
    address: mergeTexts(en.address, translation.address, overrides),
  };
}

/** Replaces all plural forms of a text together, because languages have different ones. */
function mergeTexts<Table extends object>(
  english: Table,
  translated: Table | undefined,
  overrides: Readonly<Record<string, string>>,
  prefix = '',
): Table {
  const isPlural = 'other' in english && translated !== undefined;
  return Object.fromEntries(
    Object.entries(isPlural ? translated : english).map(([name, text]) => {
      const translatedText = translated?.[name as keyof Table] as unknown;
      return [
        name,
        typeof text === 'string'
          ? (overrides[prefix + name] ?? translatedText ?? text)
          : mergeTexts(
              text as object,
              translatedText as object | undefined,
              overrides,
              `${prefix}${name}.`,
            ),
      ];
    }),
  ) as Table;
}
