import { getAppearance } from '../payment-fields/appearance.ts';

/** Lightness, from 0 to 1, above which text is considered light. */
const MIN_LIGHTNESS = 0.7;

/** Many dark pages, recognizable by their light text, do not set `color-scheme`. */
export function syncColorScheme(root: HTMLElement, signal: AbortSignal): void {
  const { host } = root.getRootNode() as ShadowRoot;
  let pageColor = '';
  const update = (): void => {
    pageColor = getComputedStyle(host).color;
    root.style.colorScheme = '';
    const isLightText = getLightness(getComputedStyle(root).color) > MIN_LIGHTNESS;
    if (isLightText && !getAppearance(root).dark) root.style.colorScheme = 'dark';
  };
  update();
  const updateIfColorChanged = (): void => {
    if (getComputedStyle(host).color !== pageColor) update();
  };
  // Pages switch their theme with an attribute of one of these elements, such as `class`, and their
  // text color may then change gradually. Some pages change `style` with each frame.
  const observer = new MutationObserver((changes) => {
    if (changes.some(({ attributeName }) => attributeName !== 'style')) updateIfColorChanged();
  });
  for (const element of [document.documentElement, document.body]) {
    observer.observe(element, { attributes: true });
    element.addEventListener(
      'transitionend',
      ({ target, propertyName }) => {
        if (target === element && propertyName === 'color') updateIfColorChanged();
      },
      { signal },
    );
  }
  signal.addEventListener('abort', () => observer.disconnect());
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', update, { signal });
}

/** Returns a color's lightness, from 0 to 1, or NaN if the color is not in sRGB. */
function getLightness(color: string): number {
  const [, isFraction, channels = ''] = /^(?:rgba?|(color))\((?:srgb )?([^)/]*)/.exec(color) ?? [];
  const [red = NaN, green = NaN, blue = NaN] = channels.match(/[\d.]+/g)?.map(Number) ?? [];
  return (0.299 * red + 0.587 * green + 0.114 * blue) / (isFraction ? 1 : 255);
}
