import type { Translation } from './en.ts';
import type { Language } from './languages.ts';

type TranslatedLanguage = Exclude<Language, 'en'>;

type LanguageFile = {
  readonly [Section in keyof Translation]?: {
    readonly [Key in keyof Translation[Section]]?: Translation[Section][Key] extends string
      ? string
      : Partial<Translation[Section][Key]>;
  };
};

/** With literal paths, because bundlers cannot follow a computed path in a package. */
const IMPORTS: Readonly<
  Record<TranslatedLanguage, () => Promise<{ readonly default: LanguageFile }>>
> = {
  'en-GB': () => import('./locales/en-GB.json', { with: { type: 'json' } }),
  es: () => import('./locales/es.json', { with: { type: 'json' } }),
  fr: () => import('./locales/fr.json', { with: { type: 'json' } }),
  de: () => import('./locales/de.json', { with: { type: 'json' } }),
  it: () => import('./locales/it.json', { with: { type: 'json' } }),
  'pt-BR': () => import('./locales/pt-BR.json', { with: { type: 'json' } }),
  nl: () => import('./locales/nl.json', { with: { type: 'json' } }),
  pl: () => import('./locales/pl.json', { with: { type: 'json' } }),
  sv: () => import('./locales/sv.json', { with: { type: 'json' } }),
  tr: () => import('./locales/tr.json', { with: { type: 'json' } }),
  uk: () => import('./locales/uk.json', { with: { type: 'json' } }),
  ar: () => import('./locales/ar.json', { with: { type: 'json' } }),
  he: () => import('./locales/he.json', { with: { type: 'json' } }),
  hi: () => import('./locales/hi.json', { with: { type: 'json' } }),
  'zh-Hans': () => import('./locales/zh-Hans.json', { with: { type: 'json' } }),
  ja: () => import('./locales/ja.json', { with: { type: 'json' } }),
};

/** Builds fill in missing texts in English. The embed script's build replaces this module. */
export async function importTranslation(language: TranslatedLanguage): Promise<Translation> {
  return (await IMPORTS[language]()).default as Translation;
}
