const { HTMLElement: Element, customElements: registry } = globalThis as { readonly HTMLElement?: typeof HTMLElement; readonly customElements?: CustomElementRegistry };

/** What elements are made from; on a server, where there are none, a class of nothing. */
export const ElementBase = Element ?? (Object as unknown as typeof HTMLElement);

/** Registers an element; where there are none, or another script has registered it already, nothing happens. */
export function define(name: string, element: CustomElementConstructor): void {
  if (registry && !registry.get(name)) registry.define(name, element);
}
