import { toArray } from '../page/to-array.ts';

const ATTRIBUTE = 'data-donation-form-host';

/** Overrides the page's styles. `flow-root` contains the negative margins of Stripe's frames. */
const STYLE = 'all: unset !important; display: flow-root !important';

/** The container's `slot` determines where the field in the host appears. */
export function addFieldHost(form: HTMLElement, slot: string) {
  const container = document.createElement('div');
  const host = document.createElement('div');
  container.setAttribute(ATTRIBUTE, '');
  container.slot = slot;
  for (const element of [container, host]) element.style.cssText = STYLE;
  container.append(host);
  form.append(container);
  return { container, host };
}

/** Removes hosts that a carousel copied, or Turbo or htmx after Back, with the form. */
export function removeCopiedHosts(form: HTMLElement): void {
  for (const copy of toArray(form.querySelectorAll(`[${ATTRIBUTE}]`))) copy.remove();
}
