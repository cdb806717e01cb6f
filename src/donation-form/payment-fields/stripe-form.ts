/**
 * Stripe.js submits the form around an element when the donor presses Enter, which otherwise could
 * be a form around the whole page.
 */
export function addStripeForm(host: HTMLElement, requestSubmit?: () => void): HTMLFormElement {
  const form = document.createElement('form');
  form.noValidate = true;
  form.style.cssText = host.style.cssText;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    event.stopPropagation();
    requestSubmit?.();
  });
  host.append(form);
  return form;
}
