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
