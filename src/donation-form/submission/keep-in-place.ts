import { PROVIDER_CONTROL } from '@donation-form/core/form-state';

/** Scrolls when the fields of another payment method close above the chosen one. */
export function keepChosenMethodInPlace(root: ShadowRoot, signal: AbortSignal): void {
  root.addEventListener(
    'input',
    ({ target }) => {
      const control = target as HTMLInputElement;
      if (control.name !== PROVIDER_CONTROL) return;
      const { top } = control.getBoundingClientRect();
      requestAnimationFrame(() => {
        for (const element of listScrollContainers(root.host))
          element.scrollBy({
            top: control.getBoundingClientRect().top - top,
            behavior: 'instant',
          });
      });
    },
    // Before the form renders the choice.
    { capture: true, signal },
  );
}

function listScrollContainers(host: Element): Element[] {
  const elements = [document.scrollingElement!];
  let node: Node | undefined = host;
  while (node) {
    if ('scrollBy' in node && /auto|scroll/.test(getComputedStyle(node as Element).overflowY))
      elements.unshift(node as Element);
    node = node.parentNode ?? (node as Partial<ShadowRoot>).host;
  }
  return elements;
}
