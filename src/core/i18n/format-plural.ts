import { fillPlaceholders } from './fill-placeholders.ts';

/** Text for each CLDR plural category of a language. `{count}` is replaced with the number. */
export type PluralForms = { readonly other: string } & Readonly<
  Partial<Record<Exclude<Intl.LDMLPluralRule, 'other'>, string>>
>;

export function formatPlural(forms: PluralForms, count: number, language: string): string {
  const category = new Intl.PluralRules(language).select(count);
  return fillPlaceholders(forms[category] ?? forms.other, { count });
}
