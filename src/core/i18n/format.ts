import { fillPlaceholders } from './fill-placeholders.ts';

export type PluralForms = { readonly other: string } & Readonly<
  Partial<Record<Exclude<Intl.LDMLPluralRule, 'other'>, string>>
>;

export function formatPlural(forms: PluralForms, count: number, language: string): string {
  const category = new Intl.PluralRules(language).select(count);
  return fillPlaceholders(forms[category] ?? forms.other, { count });
}

/** Makes the first letter of an English text uppercase. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Formats a count with its English noun, such as `1 donation` or `2 donations`. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats a list in English, such as `id, name, and contact`. */
export function formatList(items: readonly string[]): string {
  return new Intl.ListFormat('en-US').format(items);
}
