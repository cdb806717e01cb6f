import { LANGUAGES, findLanguage, type Language } from '@donation-form/core/i18n';

/**
 * Returns the first supported language of: the element's, the page's, and those of the browser's
 * preferences. English by default.
 * @param language of the element; by default its attribute.
 */
export function resolveLanguage(
  element: HTMLElement,
  language: string | null | undefined = element.getAttribute('language'),
): Language {
  return (
    [language, findPageLanguage(element), ...navigator.languages]
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
