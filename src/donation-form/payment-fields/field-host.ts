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

/**
 * Adds a host to a form. The host is a `<form>`, because Stripe.js submits the form around a field
 * when the donor presses Enter, which otherwise could be a form around the whole page.
 * @param requestSubmit function called when the provider submits the host.
 */
export function addFieldHost(
  form: HTMLElement,
  slot: string,
  requestSubmit: () => void = () => undefined,
): FieldHost {
  const container = document.createElement('div');
  const host = document.createElement('form');
  container.setAttribute(ATTRIBUTE, '');
  container.slot = slot;
  host.noValidate = true;
  for (const element of [container, host]) element.style.cssText = STYLE;
  host.addEventListener('submit', (event) => {
    event.preventDefault();
    event.stopPropagation();
    requestSubmit();
  });
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
