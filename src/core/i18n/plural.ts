import type { Plural } from './en-sending.ts';
import { fill } from './fill.ts';

/** The form of a text for a number, in its language. */
export function plural(texts: Plural, count: number, language: string): string {
  return fill(texts[new Intl.PluralRules(language).select(count)] ?? texts.other, { count });
}
