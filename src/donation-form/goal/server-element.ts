import { registerColors } from '../page/register-colors.ts';

const { HTMLElement: HTMLElementClass, customElements: registry } = globalThis as {
  readonly HTMLElement?: typeof HTMLElement;
  readonly customElements?: CustomElementRegistry;
};

/** `Object` during server-side rendering, where `HTMLElement` does not exist. */
export const ElementBase = HTMLElementClass ?? (Object as unknown as typeof HTMLElement);

/** Does nothing if the name is registered or the code runs outside a browser. */
export function defineElement(name: string, element: CustomElementConstructor): void {
  if (!registry || registry.get(name)) return;
  registerColors();
  registry.define(name, element);
}
