/** The form's colors and fonts, for styling a payment field in a cross-origin frame. */
export interface FieldAppearance {
  readonly dark: boolean;
  readonly direction: 'ltr' | 'rtl';
  /**
   * CSS values of `text`, `field-background`, `border`, `accent`, `danger`, `radius`, `font`, and
   * `size`.
   */
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Returns the form's current appearance.
 * @param host the field's host. The function measures styles in the form's shadow root, where the
 *   page's style sheets do not apply.
 *
 * @example
 * ```ts
 * import { getAppearance } from 'donation-form/payment';
 *
 * const host = document.querySelector<HTMLElement>('donation-form > [slot="payment"]')!;
 * const { variables } = getAppearance(host);
 * console.log(variables);
 * ```
 */
export function getAppearance(host: HTMLElement): FieldAppearance {
  const sampleElement = document.createElement('i');
  (host.closest('[slot]')?.assignedSlot?.parentElement ?? host).append(sampleElement);
  const style = getComputedStyle(sampleElement);
  const resolveColor = (value: string): string => {
    sampleElement.style.color = value;
    return style.color;
  };
  sampleElement.style.borderRadius = 'var(--radius)';
  const appearance: FieldAppearance = {
    dark: resolveColor('light-dark(rgb(0, 0, 0), rgb(255, 255, 255))') === 'rgb(255, 255, 255)',
    direction: style.direction === 'rtl' ? 'rtl' : 'ltr',
    variables: {
      ...Object.fromEntries(
        Object.entries({
          'field-background': 'field-background',
          border: '_donation-border',
          accent: 'highlight',
          danger: '_donation-danger',
        }).map(([name, token]) => [name, resolveColor(`var(--${token})`)]),
      ),
      text: resolveColor('inherit'),
      radius: style.borderTopLeftRadius,
      font: style.fontFamily,
      size: style.fontSize,
    },
  };
  sampleElement.remove();
  return appearance;
}

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
