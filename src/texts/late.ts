import type { Language } from '../model/language.ts';
import type { Tables } from './tables.ts';

type LateLanguage = Exclude<Language, 'en'>;

/**
 * Each import by itself: what bundlers find in a package, they follow only where its name stands
 * there whole.
 */
const FILES: Readonly<Record<LateLanguage, () => Promise<{ readonly tables: Tables }>>> = {
  es: () => import('./es.ts'),
  fr: () => import('./fr.ts'),
  de: () => import('./de.ts'),
  it: () => import('./it.ts'),
  'pt-BR': () => import('./pt-BR.ts'),
  nl: () => import('./nl.ts'),
  pl: () => import('./pl.ts'),
  sv: () => import('./sv.ts'),
  tr: () => import('./tr.ts'),
  uk: () => import('./uk.ts'),
  ar: () => import('./ar.ts'),
  he: () => import('./he.ts'),
  hi: () => import('./hi.ts'),
  'zh-Hans': () => import('./zh-Hans.ts'),
  ja: () => import('./ja.ts'),
};

/**
 * The texts of a language that does not come with the form. In the script of a script tag, the
 * build puts files beside the script in the place of this module.
 */
export const importTables = (language: LateLanguage): Promise<{ readonly tables: Tables }> =>
  FILES[language]();
