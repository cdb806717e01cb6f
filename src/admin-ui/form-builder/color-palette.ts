import { type Appearance, buildDeclarations, getThemeValues, type Property } from './appearance.ts';
import type { ColorPalette, Rgb, Scheme } from './contrast.ts';

/** Default colors, which the form inherits from the page. */
const SYSTEM_COLORS: Readonly<Partial<Record<Property, string>>> = {
  text: 'CanvasText',
  surface: 'Canvas',
};

/**
 * Creates a palette with an appearance's colors as this browser renders them.
 * @param sampleElement hidden element for computing the colors.
 */
export function createColorPalette(
  appearance: Appearance,
  themeStyleSheet: string,
  sampleElement: HTMLElement,
): ColorPalette {
  const declarations = new Map(buildDeclarations(appearance, themeStyleSheet));
  const getCssColor = (property: Property): string | undefined => {
    const { light, dark } = getThemeValues(themeStyleSheet, property);
    const themeColor = light && dark ? `light-dark(${light}, ${dark})` : undefined;
    return declarations.get(`--donation-${property}`) ?? themeColor ?? SYSTEM_COLORS[property];
  };
  return {
    getColor: (property, scheme) => {
      const color =
        getCssColor(property) ??
        (property === 'field-background' ? getCssColor('surface') : undefined);
      return color === undefined ? undefined : computePixelColor(color, scheme, sampleElement);
    },
    isCustomized: (property) => declarations.has(`--donation-${property}`),
  };
}

let pixel: OffscreenCanvasRenderingContext2D | undefined;

function computePixelColor(color: string, scheme: Scheme, sampleElement: HTMLElement): Rgb {
  pixel ??= new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!;
  sampleElement.style.colorScheme = scheme;
  sampleElement.style.color = color;
  // Paint a white or black background first, because the color can be translucent.
  for (const paint of [
    scheme === 'light' ? '#fff' : '#000',
    getComputedStyle(sampleElement).color,
  ]) {
    pixel.fillStyle = paint;
    pixel.fillRect(0, 0, 1, 1);
  }
  const [red = 0, green = 0, blue = 0] = pixel.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}
