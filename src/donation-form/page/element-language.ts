import { LANGUAGES, findLanguage, type Language } from '@donation-form/core/i18n';

/**
 * Returns the first supported language of the element, the page, or the browser, in this order;
 * English if none is supported.
 * @param language the element's language; by default its attribute.
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
