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
export function resolveEndpointUrl(element: HTMLElement, defaultEndpoint = '/'): string {
  return new URL(
    element.getAttribute('endpoint') ?? defaultEndpoint,
    document.baseURI,
  ).href.replace(/\/?$/, '/');
}
