import type { LitElement } from 'lit';

/** Focuses an element once the form has rendered it. @param control any control in the form. */
export async function focusAfterRender(control: Element, selector: string): Promise<void> {
  const root = control.getRootNode() as ShadowRoot;
  await (root.host as Partial<Pick<LitElement, 'updateComplete'>>).updateComplete;
  root.querySelector<HTMLElement>(selector)?.focus();
}
