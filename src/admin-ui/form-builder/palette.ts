import type { Palette, Rgb, Scheme } from './contrast.ts';
import { declarationsOf, themeShades, type Look, type Property } from './look.ts';

/** What the form takes where nothing is set, of what stands for itself on every page. */
const BY_ITSELF: Readonly<Partial<Record<Property, string>>> = {
  text: 'CanvasText',
  surface: 'Canvas',
};

/**
 * The colours of a look, as this browser shows them.
 * @param theme the text of its theme's style sheet.
 * @param probe an element of this page that nobody sees.
 */
export function paletteOf(look: Look, theme: string, probe: HTMLElement): Palette {
  const set = new Map(declarationsOf(look, theme));
  const written = (property: Property): string | undefined => {
    const { light, dark } = themeShades(theme, property);
    return (
      set.get(`--donation-${property}`) ??
      (light && dark ? `light-dark(${light}, ${dark})` : BY_ITSELF[property])
    );
  };
  return {
    rgbOf: (property, scheme) => {
      const colour = written(property) ?? (property === 'field' ? written('surface') : undefined);
      return colour === undefined ? undefined : rgbOf(colour, scheme, probe);
    },
    isChosen: (property) => set.has(`--donation-${property}`),
  };
}

let pixel: OffscreenCanvasRenderingContext2D | undefined;

function rgbOf(colour: string, scheme: Scheme, probe: HTMLElement): Rgb {
  pixel ??= new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!;
  probe.style.colorScheme = scheme;
  probe.style.color = colour;
  // What is seen through stands on the page.
  for (const paint of [scheme === 'light' ? '#fff' : '#000', getComputedStyle(probe).color]) {
    pixel.fillStyle = paint;
    pixel.fillRect(0, 0, 1, 1);
  }
  const [red = 0, green = 0, blue = 0] = pixel.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}
