import { LANGUAGES, findLanguage, type Language } from '@donation-form/core/i18n';

/**
 * Returns the first supported language of the element, the page, and the browser, in this order.
 * Defaults to English.
 * @param language the element's language; by default, its `language` attribute.
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

/**
 * Finds the nearest `lang` attribute, including outside the shadow roots that contain the element.
 */
function findPageLanguage(node: Element | undefined): string | undefined {
  return (
    node &&
    (node.closest<HTMLElement>('[lang]')?.lang ??
      findPageLanguage((node.getRootNode() as Partial<ShadowRoot>).host))
  );
}
