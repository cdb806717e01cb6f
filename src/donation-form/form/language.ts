import {
  LANGUAGES,
  findLanguage,
  type Language,
  importTranslation,
  type Translation,
} from '@donation-form/core/i18n';

/**
 * Returns the first supported language of: the element's attribute, the page, and the browser's
 * preferences. English by default.
 */
export function resolveLanguage(
  element: HTMLElement & { readonly language: string | null | undefined },
): Language {
  return (
    [element.language, findPageLanguage(element), ...navigator.languages]
      .map((tag) => findLanguage(tag ?? ''))
      .find(Boolean) ?? LANGUAGES[0]
  );
}

/** Finds the nearest `lang` attribute, also outside of shadow roots. */
function findPageLanguage(node: Element | undefined): string | undefined {
  return (
    node &&
    (node.closest<HTMLElement>('[lang]')?.lang ??
      findPageLanguage((node.getRootNode() as Partial<ShadowRoot>).host))
  );
}

/** Loads a translation. @returns `undefined` for English, which the script itself contains. */
export async function loadTranslation(language: Language): Promise<Translation | undefined> {
  return language === 'en' ? undefined : await importTranslation(language);
}
