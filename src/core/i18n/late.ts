import type { Language } from './language.ts';
import type { Tables } from './tables.ts';

type LateLanguage = Exclude<Language, 'en'>;

/**
 * Each import by itself: what bundlers find in a package, they follow only where its name stands
 * there whole.
 */
const FILES: Readonly<Record<LateLanguage, () => Promise<{ readonly tables: Tables }>>> = {
  es: () => import('./locales/es.ts'),
  fr: () => import('./locales/fr.ts'),
  de: () => import('./locales/de.ts'),
  it: () => import('./locales/it.ts'),
  'pt-BR': () => import('./locales/pt-BR.ts'),
  nl: () => import('./locales/nl.ts'),
  pl: () => import('./locales/pl.ts'),
  sv: () => import('./locales/sv.ts'),
  tr: () => import('./locales/tr.ts'),
  uk: () => import('./locales/uk.ts'),
  ar: () => import('./locales/ar.ts'),
  he: () => import('./locales/he.ts'),
  hi: () => import('./locales/hi.ts'),
  'zh-Hans': () => import('./locales/zh-Hans.ts'),
  ja: () => import('./locales/ja.ts'),
};

/**
 * The texts of a language that does not come with the form. In the script of a script tag, the
 * build puts files beside the script in the place of this module.
 */
export const importTables = (language: LateLanguage): Promise<{ readonly tables: Tables }> =>
  FILES[language]();
