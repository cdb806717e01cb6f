import { findLanguage, type Language, LANGUAGES } from '@donation-form/core/i18n';

/** Returns the first supported language of the element, the page, and the browser, or English. */
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

/** Returns the nearest `lang` attribute, even outside the shadow roots around the element. */
function findPageLanguage(node: Element | undefined): string | undefined {
  return (
    node &&
    (node.closest<HTMLElement>('[lang]')?.lang ??
      findPageLanguage((node.getRootNode() as Partial<ShadowRoot>).host))
  );
}
