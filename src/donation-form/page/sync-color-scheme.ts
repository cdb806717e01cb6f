import { getAppearance } from '../payment-fields/appearance.ts';

/** Lightness, from 0 to 1, above which text is considered light. */
const MIN_LIGHTNESS = 0.7;

/**
 * Switches the form to its dark colors if the page's text is light. Many dark pages do not set
 * `color-scheme`. On such pages, errors and selected choices would otherwise be hard to see.
 * @param root element in the form's shadow root that contains all visible content.
 */
export function syncColorScheme(root: HTMLElement, signal: AbortSignal): void {
  const update = (): void => {
    root.style.colorScheme = '';
    const isLightText = getLightness(getComputedStyle(root).color) > MIN_LIGHTNESS;
    if (isLightText && !getAppearance(root).dark) root.style.colorScheme = 'dark';
  };
  update();
  // Browsers have no event for color changes, so this adds a transition, which fires one.
  root.style.setProperty('transition', 'color 1ms', 'important');
  root.addEventListener(
    'transitionend',
    ({ target }) => {
      if (target === root) update();
    },
    { signal },
  );
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', update, { signal });
}

/** Returns a color's lightness, from 0 to 1, or NaN if the color is not in sRGB. */
function getLightness(color: string): number {
  const [, isFraction, channels = ''] = /^(?:rgba?|(color))\((?:srgb )?([^)/]*)/.exec(color) ?? [];
  const [red = NaN, green = NaN, blue = NaN] = channels.match(/[\d.]+/g)?.map(Number) ?? [];
  return (0.299 * red + 0.587 * green + 0.114 * blue) / (isFraction ? 1 : 255);
}
