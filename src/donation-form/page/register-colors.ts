/** Colors of the styles, with values for pages that set something else than a color. */
const INITIAL_VALUES = {
  accent: '#0a5c43',
  'on-accent': '#fff',
  text: 'CanvasText',
  surface: 'Canvas',
  muted: 'GrayText',
  border: 'GrayText',
  danger: '#a3180f',
  success: '#0a5c43',
};

/**
 * An invalid value of an unregistered property would remove the borders and backgrounds that use
 * it. Browsers register properties only for a whole document.
 */
export function registerColors(): void {
  for (const [name, initialValue] of Object.entries(INITIAL_VALUES))
    try {
      globalThis.CSS.registerProperty({
        name: `--_donation-${name}`,
        syntax: '<color>',
        inherits: true,
        initialValue,
      });
    } catch {
      // The browser is too old, or another script of ours has registered the name.
    }
}
