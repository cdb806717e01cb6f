import { findLanguage, type Language } from '@donation-form/core/i18n';

const { HTMLElement: HTMLElementClass, customElements: registry } = globalThis as {
  readonly HTMLElement?: typeof HTMLElement;
  readonly customElements?: CustomElementRegistry;
};

/** Base class of elements; an empty class during server-side rendering. */
export const ElementBase = HTMLElementClass ?? (Object as unknown as typeof HTMLElement);

/** Registers an element, unless it is registered already or this is not a browser. */
export function defineElement(name: string, element: CustomElementConstructor): void {
  if (registry && !registry.get(name)) registry.define(name, element);
}

/**
 * Returns the endpoint URL of an element, ending in a slash.
 * @throws {TypeError} for an invalid URL.
 */
export function resolveEndpoint(element: HTMLElement, defaultEndpoint = '/'): string {
  return new URL(
    element.getAttribute('endpoint') ?? defaultEndpoint,
    document.baseURI,
  ).href.replace(/\/?$/, '/');
}

/**
 * Returns the language of an element: its own, that of the page, or the browser's; English if it is
 * not supported.
 */
export function resolveLanguage(element: HTMLElement): Language {
  return (
    findLanguage(
      element.getAttribute('language') ??
        element.closest<HTMLElement>('[lang]')?.lang ??
        navigator.language,
    ) ?? 'en'
  );
}
