import { languageOf, type Language } from '@donation-form/core/i18n';

const { HTMLElement: Element, customElements: registry } = globalThis as {
  readonly HTMLElement?: typeof HTMLElement;
  readonly customElements?: CustomElementRegistry;
};

/** What elements are made from; on a server, where there are none, a class of nothing. */
export const ElementBase = Element ?? (Object as unknown as typeof HTMLElement);

/**
 * Registers an element; where there are none, or another script has registered it already, nothing
 * happens.
 */
export function define(name: string, element: CustomElementConstructor): void {
  if (registry && !registry.get(name)) registry.define(name, element);
}

/**
 * The endpoint of an element, ending in a slash.
 * @param otherwise where that is, where the element does not say.
 * @throws {TypeError} where it is no address.
 */
export function endpointOf(element: HTMLElement, otherwise = '/'): string {
  return new URL(element.getAttribute('endpoint') ?? otherwise, document.baseURI).href.replace(
    /\/?$/,
    '/',
  );
}

/**
 * The language of an element: its own, that of the page around it, or the browser's; English where
 * these are not spoken.
 */
export function languageFor(element: HTMLElement): Language {
  return (
    languageOf(
      element.getAttribute('language') ??
        element.closest<HTMLElement>('[lang]')?.lang ??
        navigator.language,
    ) ?? 'en'
  );
}
