import { toArray } from '../page/to-array.ts';

const ATTRIBUTE = 'data-donation-form-host';

/**
 * `!important` prevents the page's style sheets from overriding these styles. `flow-root` contains
 * the negative margins of Stripe's frames, which otherwise would move the host.
 */
const STYLE = 'all: unset !important; display: flow-root !important';

/** Elements in the light DOM for a payment provider's field or buttons. */
export interface FieldHost {
  /** The form's child, whose `slot` determines where the field appears. */
  readonly container: HTMLElement;
  /** The element in which the provider mounts its field. */
  readonly host: HTMLElement;
}

/** Adds a host to a form. */
export function addFieldHost(form: HTMLElement, slot: string): FieldHost {
  const container = document.createElement('div');
  const host = document.createElement('div');
  container.setAttribute(ATTRIBUTE, '');
  container.slot = slot;
  for (const element of [container, host]) element.style.cssText = STYLE;
  container.append(host);
  form.append(container);
  return { container, host };
}

/**
 * Removes the hosts of another form of which this form is a copy. Carousels copy elements, and
 * Turbo and htmx show a copy of the page after Back.
 */
export function removeCopiedHosts(form: HTMLElement): void {
  for (const copy of toArray(form.querySelectorAll(`[${ATTRIBUTE}]`))) copy.remove();
}
