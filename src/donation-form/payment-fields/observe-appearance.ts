/**
 * Calls `update` when the form's colors change, for example because the system's color scheme or
 * the page's theme changes. Browsers have no event for color changes, so the function adds color
 * transitions to the host. These transitions fire `transitionrun`.
 *
 * @example
 * ```ts
 * import { getAppearance, observeAppearance } from 'donation-form/payment';
 *
 * const host = document.querySelector<HTMLElement>('donation-form > [slot="payment"]')!;
 * const controller = new AbortController();
 * observeAppearance(host, () => console.log(getAppearance(host).variables), controller.signal);
 * ```
 */
export function observeAppearance(
  host: HTMLElement,
  update: () => void,
  signal: AbortSignal,
): void {
  for (const [property, value] of Object.entries({
    'outline-color': 'var(--highlight)',
    'text-decoration-color': 'var(--field-background)',
    transition: 'color 1ms, outline-color 1ms, text-decoration-color 1ms',
  }))
    host.style.setProperty(property, value, 'important');
  host.addEventListener(
    'transitionrun',
    ({ target }) => {
      if (target === host) update();
    },
    { signal },
  );
}
